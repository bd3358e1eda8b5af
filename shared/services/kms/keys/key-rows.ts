// The rows of keys: reading, writing, and what state a key is in. A provider's own keys only, in every statement that a client
// can reach: whoever asks for another's learns that there is none.
import { canonicalJson } from '../../../ground/canonical-json.ts';
import { build } from '../../../ground/store/builder.ts';
import type { Database, SqlValue, Transaction } from '../../../ground/store/database.ts';
import type { KeyState } from '../protocol/tags.ts';

/** An attribute that a client set, as it came: `value` is its encoded item, in hex. */
export interface KeptAttribute {
  name: string;
  index: number;
  value: string;
}

/** A key without its material. Times are RFC 3339 in UTC. */
export interface KeyRow {
  id: string;
  provider_id: string;
  origin: 'created' | 'registered';
  /** Its last state before it was destroyed, where it was. */
  state: KeyState;
  length_bits: number;
  /** Cryptographic Usage Mask (KMIP 1.4, 9.1.3.3.1). */
  usage_mask: number;
  attributes: KeptAttribute[];
  /** When it became active, or will. */
  activated_at: string | null;
  deactivated_at: string | null;
  compromised_at: string | null;
  destroyed_at: string | null;
  /** Name of the client that made it. */
  created_by: string;
  created_at: string;
  changed_at: string;
  last_get_at: string | null;
  last_get_from: string | null;
  /** Whether its material is still there. */
  kept: boolean;
}

const COLUMNS = `id, provider_id, origin, state, length_bits, usage_mask, attributes, activated_at, deactivated_at,
  compromised_at, destroyed_at, created_by, created_at, changed_at, last_get_at, last_get_from, kek_id <> '' AS kept`;

interface Stored extends Omit<KeyRow, 'attributes' | 'kept'> {
  attributes: string;
  kept: number;
}

const read = ({ attributes, kept, ...row }: Stored): KeyRow => ({
  ...row,
  attributes: JSON.parse(attributes) as KeptAttribute[],
  kept: kept === 1,
});

/** One that is waiting for its activation date is active from then on. */
export const stateAt = ({ state, activated_at }: Pick<KeyRow, 'state' | 'activated_at'>, now: string): KeyState =>
  state === 'pre-active' && activated_at !== null && activated_at <= now ? 'active' : state;

/** A provider's key; one that was destroyed is hidden from the protocol. */
export async function keyOf(db: Database, provider_id: string, id: string): Promise<KeyRow | undefined> {
  const row = await db.one<Stored>(
    `SELECT ${COLUMNS} FROM kms_key WHERE id = ? AND provider_id = ? AND destroyed_at IS NULL`,
    [id, provider_id],
  );
  return row && read(row);
}

/** Any key, destroyed ones too: for administrators. */
export async function keyById(db: Database, id: string): Promise<KeyRow | undefined> {
  const row = await db.one<Stored>(`SELECT ${COLUMNS} FROM kms_key WHERE id = ?`, [id]);
  return row && read(row);
}

/** All of a provider that are not destroyed, newest first. */
export async function keysOf(db: Database, provider_id: string): Promise<KeyRow[]> {
  const rows = await db.all<Stored>(
    `SELECT ${COLUMNS} FROM kms_key WHERE provider_id = ? AND destroyed_at IS NULL ORDER BY created_at DESC, id`,
    [provider_id],
  );
  return rows.map(read);
}

export interface SealedMaterial {
  kek_id: string;
  sealed_key: string;
  sealed_value: string;
}

/** Of a provider, destroyed ones too. */
export const countKeys = async (db: Database, provider_id: string): Promise<number> =>
  (await db.one<{ keys: number }>('SELECT count(*) AS keys FROM kms_key WHERE provider_id = ?', [provider_id]))!.keys;

/** Of a provider's key that is not destroyed. */
export const sealedOf = (db: Database, provider_id: string, id: string): Promise<SealedMaterial | undefined> =>
  db.one<SealedMaterial>(
    `SELECT kek_id, sealed_key, sealed_value FROM kms_key
      WHERE id = ? AND provider_id = ? AND destroyed_at IS NULL AND kek_id <> ''`,
    [id, provider_id],
  );

export type NewKey = Omit<KeyRow, 'last_get_at' | 'last_get_from' | 'kept' | 'destroyed_at'> & SealedMaterial;

const INSERTED = [
  ...[
    'id',
    'provider_id',
    'origin',
    'state',
    'length_bits',
    'usage_mask',
    'attributes',
    'activated_at',
    'deactivated_at',
  ],
  ...['compromised_at', 'kek_id', 'sealed_key', 'sealed_value', 'created_by', 'created_at', 'changed_at'],
] as const satisfies readonly (keyof NewKey)[];
const INSERT = `INSERT INTO kms_key (${INSERTED.join()}) VALUES (${INSERTED.map(() => '?').join()})`;

export const insertKey = async (tx: Transaction, key: NewKey): Promise<void> => {
  const values: Record<string, SqlValue> = { ...key, attributes: canonicalJson(key.attributes) };
  await tx.run(
    INSERT,
    INSERTED.map((column) => values[column]!),
  );
};

/** What of a key may change. */
export type Change = Partial<
  Pick<
    KeyRow,
    'state' | 'attributes' | 'activated_at' | 'deactivated_at' | 'compromised_at' | 'destroyed_at' | 'changed_at'
  >
>;

export const changeKey = async (tx: Transaction, id: string, change: Change): Promise<void> => {
  const { attributes, ...others } = change;
  const columns = { ...others, ...(attributes && { attributes: canonicalJson(attributes) }) };
  await tx.run(build('kms_key').where('id', id).update(columns));
};

export { COLUMNS as KEY_COLUMNS, read as readKey, type Stored as StoredKey };
