// Passwords of the directory in the database: hashes alone, of the current one and of earlier ones.
import { instant, newId } from '../../ground/clock.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Shell } from '../../platform/units/collection.ts';
import { markOf } from './password-hash.ts';

/** Whose password. */
export type Holder = { user_id: string; account_id?: never } | { account_id: string; user_id?: never };

export interface KeptHashes {
  /** Name of the user; null for a bind account. */
  uid: string | null;
  account: string | null;
  mark: string;
  hash: string;
  /** Earlier ones, newest first: a rollback brings back what was in force. */
  former: FormerHash[];
}

/** The mark of a password is that of its hash, but where a person chose it: it has the mark of the one that it took over from. */
export interface FormerHash {
  hash: string;
  mark: string;
}

/** As it is stored: a hash, or a mark and a hash where the mark is not its own. */
type Stored = string | [mark: string, hash: string];

const formerOf = (text: string): FormerHash[] =>
  (JSON.parse(text) as Stored[]).map((one) =>
    typeof one === 'string' ? { hash: one, mark: markOf(one) } : { mark: one[0], hash: one[1] },
  );
const storedOf = ({ hash, mark }: FormerHash): Stored => (markOf(hash) === mark ? hash : [mark, hash]);

const IN_ORGANIZATION = `SELECT uid, NULL AS account, mark, hash, former FROM ldap_password JOIN ldap_user ON ldap_user.id = user_id
    WHERE organization_id = (SELECT id FROM ldap_organization WHERE slug = ?1) AND (?2 IS NULL OR uid IN (SELECT value FROM json_each(?2)))
  UNION ALL SELECT NULL, name, mark, hash, former FROM ldap_password JOIN ldap_bind_account ON ldap_bind_account.id = account_id
    WHERE organization_id = (SELECT id FROM ldap_organization WHERE slug = ?1) AND (?2 IS NULL OR name IN (SELECT value FROM json_each(?2)))`;

/** Of users and bind accounts of an organization: of those with one of these names, or of all where none are given. */
export async function hashesOf(db: Database, slug: string, names: readonly string[] | null): Promise<KeptHashes[]> {
  const asked = [slug, names === null ? null : JSON.stringify(names)];
  const rows = await db.all<Omit<KeptHashes, 'former'> & { former: string }>(IN_ORGANIZATION, asked);
  return rows.map((row) => ({ ...row, former: formerOf(row.former) }));
}

/** The current hash and the earlier ones, newest first. */
export async function knownHashes(db: Database, { user_id, account_id }: Holder): Promise<FormerHash[]> {
  const row = await db.one<FormerHash & { former: string }>(
    'SELECT hash, mark, former FROM ldap_password WHERE user_id IS ? AND account_id IS ?',
    [user_id ?? null, account_id ?? null],
  );
  return row ? [{ hash: row.hash, mark: row.mark }, ...formerOf(row.former)] : [];
}

const WRITE = (member: string) => `INSERT INTO ldap_password
    (id, ${member}, hash, former, mark, settled, revision, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 1, 1, ?, ?)
  ON CONFLICT (${member}) DO UPDATE SET hash = excluded.hash, former = excluded.former, mark = excluded.mark, settled = 1,
    revision = ldap_password.revision + 1, updated_at = excluded.updated_at`;

/** `former`: hashes that are to be remembered, newest first. */
export async function saveHash(
  tx: Transaction,
  { clock, entropy }: Pick<Shell, 'clock' | 'entropy'>,
  { user_id, account_id }: Holder,
  { hash, former }: { hash: string; former: readonly FormerHash[] },
): Promise<void> {
  const now = instant(clock.now());
  // Of the hash itself, so that earlier ones are known by theirs.
  const mark = markOf(hash);
  const named = user_id === undefined ? (['account_id', account_id] as const) : (['user_id', user_id] as const);
  const id = newId('ldappw', entropy);
  await tx.run(WRITE(named[0]), [id, named[1]!, hash, JSON.stringify(former.map(storedOf)), mark, now, now]);
}

/**
 * Saves the password that a person chose: its mark stays, so that nothing is pending, and it is not settled until slapd has it.
 * `former`: with the one that it takes over from, first.
 */
export async function saveOwnHash(
  tx: Transaction,
  { clock }: Pick<Shell, 'clock'>,
  user_id: string,
  { hash, former }: { hash: string; former: readonly FormerHash[] },
): Promise<void> {
  await tx.run(
    'UPDATE ldap_password SET hash = ?, former = ?, revision = revision + 1, updated_at = ? WHERE user_id = ?',
    [hash, JSON.stringify(former.map(storedOf)), instant(clock.now()), user_id],
  );
}

export interface UnsettledHash {
  id: string;
  /** Short name of the organization. */
  slug: string;
  uid: string | null;
  /** Of a user. */
  entry_uuid: string | null;
  account: string | null;
  mark: string;
  hash: string;
}

/** Passwords of which slapd may have another one than is kept here: of one user, or all. */
export const unsettledHashes = (db: Database, user_id: string | null): Promise<UnsettledHash[]> =>
  db.all<UnsettledHash>(
    `SELECT ldap_password.id, slug, uid, ldap_user.entry_uuid AS entry_uuid, account.name AS account, mark, hash FROM ldap_password
    LEFT JOIN ldap_user ON ldap_user.id = user_id LEFT JOIN ldap_bind_account AS account ON account.id = account_id
    JOIN ldap_organization AS o ON o.id = coalesce(ldap_user.organization_id, account.organization_id)
    WHERE settled = 0 AND (?1 IS NULL OR user_id = ?1)`,
    [user_id],
  );

/** Those that are another one by now are not. */
export async function noteSettled(tx: Transaction, all: readonly Pick<UnsettledHash, 'id' | 'hash'>[]): Promise<void> {
  const pairs = JSON.stringify(all.map(({ id, hash }) => [id, hash]));
  await tx.run(
    `UPDATE ldap_password SET settled = 1 WHERE settled = 0 AND (id, hash) IN
      (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
    [pairs],
  );
}
