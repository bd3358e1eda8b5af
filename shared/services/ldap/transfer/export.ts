// Users or groups of an organisation as CSV. Passwords and their hashes are never among them.
import { csv } from '../../../ground/csv.ts';
import type { Database } from '../../../ground/store/database.ts';
import { PAGE_MAX } from '../../../ground/store/pagination.ts';
import { listItems } from '../../../platform/units/collection-store.ts';
import { cellOf, type Kind, SHAPES } from './columns.ts';

/** The whole file, by name. */
export async function exportCsv(db: Database, organization_id: string, kind: Kind): Promise<string> {
  const texts: string[] = [];
  for await (const part of exportParts(db, organization_id, kind)) texts.push(part);
  return texts.join('');
}

/** The same part by part. A statement for each 200 rows or so. */
export async function* exportParts(db: Database, organization_id: string, kind: Kind): AsyncGenerator<string> {
  const { collection, columns } = SHAPES[kind];
  yield csv([columns]);
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listItems>> = await listItems(db, collection, {
      filters: { organization_id },
      limit: PAGE_MAX,
      cursor,
    });
    const rows = page.items as unknown as Record<string, unknown>[];
    yield csv(rows.map((row) => columns.map((column) => cellOf(column, row[column]))));
    cursor = page.next_cursor;
  } while (cursor !== null);
}

export const csvHeaders = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8; header=present',
  'content-disposition': `attachment; filename="${name}.csv"`,
});
