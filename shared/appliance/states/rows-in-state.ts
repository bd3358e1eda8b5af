// Rows in one state: states are not columns, so rows are read on until enough of them are found.
import { setImmediate as othersTurn } from 'node:timers/promises';
import { PAGE_DEFAULT, PAGE_MAX, type Page } from '../../ground/store/pagination.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { type RowKind, type RowOf, stateOfRow } from './row-kinds.ts';
import type { Standing } from './standing.ts';
import type { StateId } from './state-ids.ts';

interface Asked<Kind extends RowKind, Row extends RowOf<Kind>> {
  standings: ReadonlyMap<UnitId, Standing>;
  of: Kind;
  /** Empty: all. */
  state: StateId | '';
  cursor: string | undefined;
  /** A page of all of the list. */
  read(page: { limit: number; cursor: string | undefined }): Promise<Page<Row>>;
}

/** A page of the rows in one state. It ends where a page of all rows does, so it can be a little longer than others. */
export async function rowsInState<Kind extends RowKind, Row extends RowOf<Kind>>({
  standings,
  of,
  state,
  cursor,
  read,
}: Asked<Kind, Row>): Promise<Page<Row>> {
  if (state === '') return read({ limit: PAGE_DEFAULT, cursor });
  const items: Row[] = [];
  let next: string | null | undefined = cursor;
  let limit = PAGE_DEFAULT;
  do {
    const page: Page<Row> = await read({ limit, cursor: next ?? undefined });
    const found = page.items.filter((row) => stateOfRow(standings, of, row).state === state);
    items.push(...found);
    next = page.next_cursor;
    // Where such rows are rare, a long list is read in few statements.
    limit = found.length === 0 ? PAGE_MAX : PAGE_DEFAULT;
    await othersTurn();
  } while (next !== null && items.length < PAGE_DEFAULT);
  return { items, next_cursor: next };
}

/** Of rows that come page by page, those in this state. */
export async function* onlyInState<Kind extends RowKind, Row extends RowOf<Kind>>(
  pages: AsyncIterable<Row[]>,
  standings: ReadonlyMap<UnitId, Standing>,
  of: Kind,
  state: StateId,
): AsyncGenerator<Row[]> {
  for await (const rows of pages) yield rows.filter((row) => stateOfRow(standings, of, row).state === state);
}
