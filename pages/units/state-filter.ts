// A list by the state of its rows, in the address: states are not columns, so rows are read on until enough of them are found.
import { setImmediate as othersTurn } from 'node:timers/promises';
import * as v from 'valibot';
import { STATE_IDS, type Standing, type StateId } from '../../shared/appliance/states/standing.ts';
import { PAGE_DEFAULT, PAGE_MAX, type Page } from '../../shared/ground/store/pagination.ts';
import type { UnitId } from '../../shared/platform/unit-names.ts';
import type { FilterSelect } from '../components/filter-bar.tsx';
import { STATES } from '../components/state-words.tsx';
import { type RowKind, type RowOf, stateOfRow } from './row-words.tsx';

/** A member of a page's query; what is no state asks for all. */
export const stateQuery = v.fallback(v.picklist(['', ...STATE_IDS]), '');

export const stateSelect = (value: StateId | ''): FilterSelect => ({
  name: 'state',
  label: 'State',
  any: 'Any state',
  value,
  // Lists of what no apply enforces have no such filter.
  options: STATE_IDS.filter((id) => id !== 'not_enforced').map((id) => ({ value: id, label: STATES[id].word })),
});

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
