// What the shell of every page says of an apply that runs: how far it is, or that it waits for a confirmation.

import { runningPlan } from '../../shared/appliance/apply/running-plan.ts';
import { arrivesThere, isOld } from '../../shared/appliance/apply/window/proof.ts';
import { WINDOW, type WindowRecord } from '../../shared/appliance/apply/window/record.ts';
import { readWindowOf, type WindowView, windowView } from '../../shared/appliance/apply/window/view.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { RequestFacts } from '../../shared/kernel/operation/operation.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import type { ConfirmNotice, RunningApply } from '../components/strip.tsx';

export interface Told {
  running: RunningApply | null;
  confirm: ConfirmNotice | null;
  /** The connection is older than the change: what comes next has to come over a new one to prove anything. */
  old: boolean;
}

const NOTHING: Told = { running: null, confirm: null, old: false };

/** One statement, and one file where the apply has a confirm window. */
export async function tellRunning(
  services: Services,
  request: RequestFacts,
  { job_id, mayApply }: { job_id: string | undefined; mayApply: boolean },
): Promise<Told> {
  const row = job_id === undefined ? undefined : await runningPlan(services.store, job_id);
  if (!row) return NOTHING;
  const text = row.title
    ? `${row.title}, ${Math.min(row.done + 1, row.total)} of ${row.total} units`
    : 'Waiting to start';
  const { plan_id, stopping } = row;
  const running = { job_id: job_id!, plan_id, text, rolls_back: row.window !== null, stopping };
  if (row.window === null) return { ...NOTHING, running };
  const { window } = row;
  const record = await readWindowOf(services, { id: row.plan_id, window });
  const view = windowView(window, record, mayApply)!;
  if (record === 'damaged')
    return { ...NOTHING, running: { ...running, text: 'its confirm window is damaged; roll it back' } };
  // From the moment that it is asked for, nothing can be confirmed any more.
  if (stopping || view.state === 'reverting')
    return { ...NOTHING, running: { ...running, text: 'It is being rolled back', stopping: true } };
  // Whatever connection is open now will be older than the change.
  if (record === null || view.state !== 'open') return { ...NOTHING, running, old: true };
  const confirm = {
    job_id: job_id!,
    plan_id: row.plan_id,
    left: view.seconds_left ?? 0,
    reverts_at: view.deadline_at ?? '',
    timeout_seconds: view.timeout_seconds,
    more_seconds: moreOf(view),
    nonce: view.nonce,
    ...placeOf(services, request, record),
  };
  return { running, confirm, old: isOld(request, record) };
}

/** The window's own length again, or what is left of its time in all; 0 when that is below the least. */
function moreOf({ timeout_seconds, extendable_seconds }: WindowView): number {
  const seconds = Math.min(timeout_seconds, extendable_seconds ?? 0);
  return seconds < WINDOW.least ? 0 : seconds;
}

/** Whether this page is where the plan can be confirmed, and if not, where that is. */
function placeOf(services: Services, request: RequestFacts, record: WindowRecord) {
  const here = arrivesThere(request.connection?.local_address ?? '', record);
  const [elsewhere] = here ? [] : record.listeners;
  return { here, elsewhere: elsewhere ? pageAt(services, request, elsewhere, record.plan_id) : null };
}

/** A plan's page at an address of the appliance, by the scheme and port of this request. */
export function pageAt(
  { settings }: Pick<Services, 'settings'>,
  { secure, headers }: Pick<RequestFacts, 'secure' | 'headers'>,
  address: string,
  plan_id: string,
): string {
  const asked = /:(\d+)$/.exec(headers.host ?? '')?.[1];
  const port = settings.management_port > 0 ? String(settings.management_port) : asked;
  const host = address.includes(':') ? `[${address}]` : address;
  return `${secure ? 'https' : 'http'}://${host}${port ? `:${port}` : ''}${pagePath('plan', plan_id)}`;
}
