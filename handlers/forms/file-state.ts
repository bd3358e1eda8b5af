// The state filter of a list, for its file. What units make of what was saved is much to load for those that ask for all.
import * as v from 'valibot';
import type { RowKind, RowOf } from '../../shared/appliance/states/row-kinds.ts';
import { STATE_IDS, type StateId } from '../../shared/appliance/states/state-ids.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';

/** A member of the query; what is no state asks for all, as on the page. */
export const fileState = v.optional(v.fallback(v.picklist(['', ...STATE_IDS]), ''), '');

/** Of all rows of a list those in the state, empty: all. */
export async function inState<Kind extends RowKind, Row extends RowOf<Kind>>(
  services: Services,
  of: Kind,
  state: StateId | '',
  pages: AsyncIterable<Row[]>,
): Promise<AsyncIterable<Row[]>> {
  if (state === '') return pages;
  const [{ enforcedStandings }, { onlyInState }] = await Promise.all([
    import('../../shared/appliance/states/standing.ts'),
    import('../../shared/appliance/states/rows-in-state.ts'),
  ]);
  return onlyInState(pages, await enforcedStandings(services), of, state);
}
