// What key management remembers of what is gone, from one database to another: whoever puts an older one back still has it.
import type { Database, Transaction } from '../../../ground/store/database.ts';

export interface Remembered {
  tombstones: Record<string, string>[];
  /** Ids of keys whose material was erased, their rows still there. */
  erased: string[];
}

const has = async (db: Database, table: string): Promise<boolean> =>
  (await db.one("SELECT 1 AS yes FROM sqlite_schema WHERE type = 'table' AND name = ?", [table])) !== undefined;

/** A database of before there were holds keeps one as a revocation: the client is added anew there. */
const knowsHolds = async (db: Database): Promise<boolean> =>
  (await db.one("SELECT 1 AS yes FROM sqlite_schema WHERE name = 'kms_tombstone' AND sql LIKE '%''held''%'")) !==
  undefined;

const COLUMNS = 'id, kind, subject, provider_id, provider, name, why, created_by, created_at';

/** Of a database of any schema. */
export async function remembered(db: Database): Promise<Remembered> {
  if (!(await has(db, 'kms_tombstone'))) return { tombstones: [], erased: [] };
  const erased = await db.all<{ id: string }>("SELECT id FROM kms_key WHERE kek_id = '' AND destroyed_at IS NOT NULL");
  return {
    tombstones: await db.all<Record<string, string>>(`SELECT ${COLUMNS} FROM kms_tombstone`),
    erased: erased.map(({ id }) => id),
  };
}

/**
 * Into a database of any schema. One that has no tombstones yet can’t remember clients: those that it would let in again go.
 * Material that was erased goes again.
 */
export async function remember(tx: Transaction, { tombstones, erased }: Remembered): Promise<void> {
  if (await has(tx, 'kms_tombstone'))
    await tx.run(
      `INSERT OR IGNORE INTO kms_tombstone (${COLUMNS})
        SELECT value ->> 'id', value ->> 'kind', value ->> 'subject', value ->> 'provider_id', value ->> 'provider',
          value ->> 'name', iif(?2 = 0 AND value ->> 'why' = 'held', 'revoked', value ->> 'why'), value ->> 'created_by', value ->> 'created_at' FROM json_each(?1)`,
      [JSON.stringify(tombstones), (await knowsHolds(tx)) ? 1 : 0],
    );
  else if (await has(tx, 'kms_client'))
    await tx.run(
      `DELETE FROM kms_client WHERE EXISTS (SELECT 1 FROM json_each(?) AS t WHERE t.value ->> 'kind' = 'client'
        AND t.value ->> 'subject' = kms_client.sha256 AND t.value ->> 'created_at' >= kms_client.created_at)`,
      [JSON.stringify(tombstones)],
    );
  if (!(await has(tx, 'kms_key'))) return;
  const gone = [...erased, ...tombstones.flatMap(({ kind, subject }) => (kind === 'key' ? [subject] : []))];
  await tx.run(
    `UPDATE kms_key SET kek_id = '', sealed_key = '', sealed_value = '', destroyed_at = coalesce(destroyed_at, changed_at)
      WHERE id IN (SELECT value FROM json_each(?)) AND kek_id <> ''`,
    [JSON.stringify(gone)],
  );
}
