// A list by the state of its rows, in the address of its page.
import * as v from 'valibot';
import { STATE_IDS, type StateId } from '../../shared/appliance/states/state-ids.ts';
import type { FilterSelect } from '../components/filter-bar.tsx';
import { STATES } from '../components/state-words.tsx';

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
