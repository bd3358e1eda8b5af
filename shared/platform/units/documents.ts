// Settings documents in their table: one row for each key, read and written here whoever keeps it.
import type { Database, Transaction } from '../../ground/store/database.ts';

export interface SavedDocument {
  /** JSON. */
  document: string;
  revision: number;
  updated_at: string;
}

/** As it is saved; undefined for one that never was. */
export const savedDocument = (db: Database, key: string): Promise<SavedDocument | undefined> =>
  db.one<SavedDocument>('SELECT document, revision, updated_at FROM unit_settings WHERE unit = ?', [key]);

/** Key → what its document says; of one that was never saved there is none. */
export async function savedDocuments<D>(db: Database, keys: readonly string[]): Promise<Map<string, D>> {
  const rows = await db.all<{ unit: string; document: string }>(
    'SELECT unit, document FROM unit_settings WHERE unit IN (SELECT value FROM json_each(?))',
    [JSON.stringify(keys)],
  );
  return new Map(rows.map(({ unit, document }) => [unit, JSON.parse(document) as D]));
}

const SAVE = `INSERT INTO unit_settings (unit, document, revision, updated_at) VALUES (?, ?, 1, ?)
  ON CONFLICT (unit) DO UPDATE SET document = excluded.document, revision = revision + 1,
    updated_at = excluded.updated_at`;

/** In place of what is saved, under the next revision. */
export async function saveDocument(tx: Transaction, key: string, document: object, updated_at: string): Promise<void> {
  await tx.run(SAVE, [key, JSON.stringify(document), updated_at]);
}
