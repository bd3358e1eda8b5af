// Users or groups of an organisation as CSV. Passwords and their hashes are never among them.
import { csvParts } from '../../../ground/csv.ts';
import type { Database } from '../../../ground/store/database.ts';
import type { Collection, Kept } from '../../../platform/units/collection.ts';
import { allItems } from '../../../platform/units/collection-csv.ts';
import { cellOf, type Kind, SHAPES } from './columns.ts';

/** The whole file, by name. */
export async function exportCsv(db: Database, organization_id: string, kind: Kind): Promise<string> {
  const texts: string[] = [];
  for await (const part of exportParts(db, organization_id, kind)) texts.push(part);
  return texts.join('');
}

/** The same part by part. */
export function exportParts(db: Database, organization_id: string, kind: Kind): AsyncIterable<string> {
  const { collection, columns } = SHAPES[kind];
  const pages = allItems(db, collection as Collection<Kept>, { filters: { organization_id } });
  return csvParts(columns, pages, (row) =>
    columns.map((column) => cellOf(column, (row as unknown as Record<string, unknown>)[column])),
  );
}
