// A plan's confirm window as the API and the pages show it, from what was submitted and what is known of it now.
import { Problem } from '../../../ground/problems.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { enforcementOf } from '../enforcement-of.ts';
import type { Plan, PlanWindow, WindowEnd } from '../plan.ts';
import { confirmAt } from './path.ts';
import { extendableBy, howItEnded, isOpen, timeLeft, type WindowRecord } from './record.ts';
import { DamagedWindow } from './record-file.ts';

/** `opening`: submitted, nothing is changed yet; `applying`: the change is being made; `open`: it waits for a confirmation; `damaged`: nobody can confirm it. */
export const VIEWED_STATES = [
  'opening',
  'applying',
  'open',
  'reverting',
  'confirmed',
  'reverted',
  'unreverted',
  'closed',
  'damaged',
] as const;

export interface WindowView {
  state: (typeof VIEWED_STATES)[number];
  timeout_seconds: number;
  /** Why it has to be confirmed; empty where it was only asked for. */
  because: string[];
  /** RFC 3339; null unless it is open. */
  deadline_at: string | null;
  seconds_left: number | null;
  /** Seconds that it can be extended to from now on; null unless it is open. */
  extendable_seconds: number | null;
  /** Local addresses at which the management UI is to be reached. */
  addresses: string[];
  /** What a confirmation repeats; null for whoever may not apply, and once the window is over. */
  nonce: string | null;
  ended: Omit<WindowEnd, 'state'> | null;
}

type Submitted = Pick<Plan, 'id' | 'window'>;

/** Reads the record only where the plan has a window that may be open. The same for a record that says nothing. */
export async function readWindowOf(
  services: Services,
  { id, window }: Submitted,
): Promise<WindowRecord | 'damaged' | null> {
  if (window === null || window.ended !== null) return null;
  const record = await enforcementOf(services)
    .window.read()
    .catch((error) => (error instanceof DamagedWindow ? 'damaged' : Promise.reject(error)));
  return record === 'damaged' || record?.plan_id === id ? record : null;
}

/** Whether the record of a confirm window is damaged, whichever plan it belongs to. */
export async function isWindowDamaged(services: Services): Promise<boolean> {
  const read = enforcementOf(services).window.read();
  return read.then(
    () => false,
    (error) => error instanceof DamagedWindow,
  );
}

/** What can be confirmed or extended. @throws Problem 409 where there is no such window */
export async function openWindowOf(
  services: Services,
  plan: Pick<Plan, 'id' | 'window' | 'state'>,
): Promise<WindowRecord> {
  const record = await readWindowOf(services, plan);
  if (record === 'damaged') throw new Problem('window_closed', DAMAGED);
  if (!record) throw noWindow(plan);
  if (record.ended && !isOpen(record) && record.state !== 'confirmed')
    throw new Problem('window_closed', howItEnded(record.ended));
  return record;
}

export const DAMAGED =
  'The record of the confirm window is damaged, so the plan can not be confirmed: stop it, and it is rolled back.';

/** 409 for a plan that has no window, or whose window is over. */
function noWindow({ window }: Pick<Plan, 'window'>): Problem {
  if (window === null) return new Problem('window_closed', 'This plan has no confirm window.');
  if (window.ended === null)
    return new Problem('window_closed', 'The change has not begun; confirm it once it is complete.');
  return new Problem('window_closed', howItEnded(window.ended));
}

export function windowView(
  window: PlanWindow | null,
  found: WindowRecord | 'damaged' | null,
  mayApply: boolean,
): WindowView | null {
  if (window === null) return null;
  const { timeout_seconds, because, nonce } = window;
  const common = { timeout_seconds, because, addresses: confirmAt(window) };
  if (window.ended) {
    const { state, ...ended } = window.ended;
    return {
      ...common,
      state: state === 'armed' ? 'closed' : state,
      ended,
      deadline_at: null,
      seconds_left: null,
      extendable_seconds: null,
      nonce: null,
    };
  }
  const record = found === 'damaged' ? null : found;
  const state = found === 'damaged' ? found : stateOf(record);
  const open = record?.state === 'armed';
  return {
    ...common,
    state,
    timeout_seconds: record?.timeout_seconds ?? timeout_seconds,
    deadline_at: open ? record.deadline_at : null,
    seconds_left: open ? Math.max(0, Math.ceil(timeLeft(record) / 1000)) : null,
    extendable_seconds: open ? extendableBy(record) : null,
    nonce: mayApply && state !== 'confirmed' && state !== 'damaged' ? nonce : null,
    ended: record?.ended ?? null,
  };
}

function stateOf(record: WindowRecord | null): WindowView['state'] {
  if (record === null) return 'opening';
  if (record.state !== 'armed') return record.state;
  return record.enforced_uptime_ms === null ? 'applying' : 'open';
}
