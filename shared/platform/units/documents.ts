// The table of settings documents: one row for each key. All settings are read and written here.
import type { Database, Transaction } from '../../ground/store/database.ts';
import { writerOf } from '../interfaces/refresh/row-texts.ts';

export interface SavedDocument {
  /** JSON. */
  document: string;
  revision: number;
  updated_at: string;
}

/** The saved document; undefined when none was ever saved. */
export const savedDocument = (db: Database, key: string): Promise<SavedDocument | undefined> =>
  db.one<SavedDocument>('SELECT document, revision, updated_at FROM unit_settings WHERE unit = ?', [key]);

/** Key → content of its document, without keys that were never saved. */
export async function savedDocuments<D>(db: Database, keys: readonly string[]): Promise<Map<string, D>> {
  const rows = await db.all<{ unit: string; document: string }>(
    'SELECT unit, document FROM unit_settings WHERE unit IN (SELECT value FROM json_each(?))',
    [JSON.stringify(keys)],
  );
  return new Map(rows.map(({ unit, document }) => [unit, JSON.parse(document) as D]));
}

/** SQL: the document of a key; NULL when it was never saved. */
export const documentOf = (key: string): string => `(SELECT document FROM unit_settings WHERE unit = '${key}')`;

/** SQL: key → document, as a JSON object; `keys` is an expression for a JSON array of keys. */
export const documentsOf = (keys: string): string =>
  `(SELECT json_group_object(unit, document) FROM unit_settings WHERE unit IN (SELECT value FROM json_each(${keys})))`;

/** SQL: key → content of every document, as a JSON object. */
export const ALL_DOCUMENTS = '(SELECT json_group_object(unit, json(document)) FROM unit_settings)';

/** Host names that services have by their documents: `unit`, which is the key, and `name`. */
export const SERVICE_NAMES = `SELECT unit, member.atom AS name FROM unit_settings, json_each(document) AS member
  WHERE member.key IN ('hostname', 'portal_hostname') AND member.atom <> ''
  UNION ALL SELECT unit, substr(name, 1, instr(name, '.') - 1) || family.value || substr(name, instr(name, '.')) AS name
  FROM (SELECT unit, document ->> 'hostname' AS name FROM unit_settings WHERE unit = 'storage'),
    json_each('["-ipv4","-ipv6"]') AS family WHERE instr(name, '.') > 1`;

/** Replaces documents, each under its next revision: pairs of key and text. */
export const saveDocuments = writerOf<readonly [key: string, text: string]>(`INSERT INTO unit_settings
    (unit, document, revision, updated_at) SELECT value ->> 0, value ->> 1, 1, ?1 FROM json_each(?2) WHERE true
  ON CONFLICT (unit) DO UPDATE SET document = excluded.document, revision = revision + 1,
    updated_at = excluded.updated_at`);

export const saveDocument = (tx: Transaction, key: string, document: object, updated_at: string): Promise<void> =>
  saveDocuments(tx, [[key, JSON.stringify(document)]], updated_at);

/** Changes members of saved documents. */
export const patchDocuments = writerOf<{ key: string; document: object }>(`UPDATE unit_settings
  SET document = json_patch(document, change.value ->> 'document'), revision = revision + 1, updated_at = ?
  FROM json_each(?) AS change WHERE unit = change.value ->> 'key'`);
