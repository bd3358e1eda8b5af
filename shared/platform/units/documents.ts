// Settings documents in their table: one row for each key, read and written here whoever keeps it.
import type { Database, Transaction } from '../../ground/store/database.ts';
import { writerOf } from '../interfaces/refresh/row-texts.ts';

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

/** The document of a key, for a statement; NULL for one that was never saved. */
export const documentOf = (key: string): string => `(SELECT document FROM unit_settings WHERE unit = '${key}')`;

/** Key → document, as a JSON object, for a statement; `keys` is where it finds a JSON array of them. */
export const documentsOf = (keys: string): string =>
  `(SELECT json_group_object(unit, document) FROM unit_settings WHERE unit IN (SELECT value FROM json_each(${keys})))`;

/** Key → what each of them says, as a JSON object, for a statement. */
export const ALL_DOCUMENTS = '(SELECT json_group_object(unit, json(document)) FROM unit_settings)';

/** Host names that services have by their documents: `unit`, which is the key, and `name`. */
export const SERVICE_NAMES = `SELECT unit, member.atom AS name FROM unit_settings, json_each(document) AS member
  WHERE member.key IN ('hostname', 'portal_hostname') AND member.atom <> ''`;

/** In place of what is saved, each under its next revision: pairs of key and text. */
export const saveDocuments = writerOf<readonly [key: string, text: string]>(`INSERT INTO unit_settings
    (unit, document, revision, updated_at) SELECT value ->> 0, value ->> 1, 1, ?1 FROM json_each(?2) WHERE true
  ON CONFLICT (unit) DO UPDATE SET document = excluded.document, revision = revision + 1,
    updated_at = excluded.updated_at`);

export const saveDocument = (tx: Transaction, key: string, document: object, updated_at: string): Promise<void> =>
  saveDocuments(tx, [[key, JSON.stringify(document)]], updated_at);

/** Changes members of documents that are saved already. */
export const patchDocuments = writerOf<{ key: string; document: object }>(`UPDATE unit_settings
  SET document = json_patch(document, change.value ->> 'document'), revision = revision + 1, updated_at = ?
  FROM json_each(?) AS change WHERE unit = change.value ->> 'key'`);
