// How many keys are held, and the newest of them by name: for whoever is about to put them out of reach.
import type { Database } from '../../../ground/store/database.ts';

export interface KeysHeld {
  count: number;
  /** Ids of the newest, at most NAMED_MOST. */
  newest: string[];
}

export const NO_KEYS: KeysHeld = { count: 0, newest: [] };
const NAMED_MOST = 5;

const HELD = 'destroyed_at IS NULL';

/** Of one provider, or all. Destroyed ones do not count. */
export async function keysHeld(db: Database, provider_id?: string): Promise<KeysHeld> {
  const [of, values] = provider_id === undefined ? ['', []] : [' AND provider_id = ?', [provider_id]];
  const newest = await db.all<{ id: string; count: number }>(
    `SELECT id, count(*) OVER () AS count FROM kms_key WHERE ${HELD}${of} ORDER BY created_at DESC, id LIMIT ${NAMED_MOST}`,
    values,
  );
  return { count: newest[0]?.count ?? 0, newest: newest.map(({ id }) => id) };
}

/** Ids of all keys with material, destroyed ones too. A database of an older schema has none. */
export async function idsHeld(db: Database): Promise<string[]> {
  const table = await db.one("SELECT 1 AS yes FROM sqlite_schema WHERE type = 'table' AND name = 'kms_key'");
  if (!table) return [];
  const rows = await db.all<{ id: string }>("SELECT id FROM kms_key WHERE kek_id <> '' ORDER BY created_at DESC");
  return rows.map(({ id }) => id);
}

/** `3 keys (key_a, key_b, key_c)`. */
export const keysNamed = ({ count, newest }: KeysHeld): string => {
  const more = count > newest.length ? ' and more' : '';
  return `${count === 1 ? 'one key' : `${count} keys`} (${newest.join(', ')}${more})`;
};
