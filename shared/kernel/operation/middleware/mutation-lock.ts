// 423 at once while an apply or a restore owns all mutations. The audit row that commits a mutation checks again, for
// a lock taken after this look. A dry run is a read: it goes on. What waits for no lock is refused for the moment in which a
// restore is saved: it would wait for that transaction.
import { HELD_ASKED } from '../../access/held-asked.ts';
import { lockedBy } from '../../access/mutation-lock.ts';
import { type AnySpec, saves, takesDryRun, waitsForLock } from '../operation.ts';
import type { Middleware, OperationRequest, RequestState } from '../request.ts';

export const mutationLock: Middleware = {
  async before(request) {
    const { state, services } = request.context;
    if (asksWhetherHeld(request) || saves(state.spec)) services.store.refuseWhileHeld();
    // A repeated request, perhaps the one that took the lock, is answered by idempotency first. A dry run passes too:
    // only the validation knows whether it is one.
    if (!isKeyed(request) && !asksForDryRun(request)) refuseWhileLocked(state);
    return undefined;
  },
};

/** For a page, and not where the answer to that question is shown. */
function asksWhetherHeld({ event, context }: OperationRequest): boolean {
  const { spec, outcome } = context.state;
  return spec.effect === 'read' && spec.plane === 'management' && outcome === null && HELD_ASKED in event.headers;
}

function asksForDryRun({ event, context }: OperationRequest): boolean {
  const { spec, form } = context.state;
  if (!takesDryRun(spec)) return false;
  return 'dry_run' in event.queryStringParameters || form?.text('dry_run') === 'true';
}

/** Whether the operation takes an Idempotency-Key. */
export const takesKey = ({ method, plane }: AnySpec): boolean => method === 'POST' && plane === 'api';

/** Whether an answer may be stored for this key. A dry run has no effect, so it needs no key. */
export function isKeyed({ event, context }: OperationRequest): boolean {
  const { spec, dry_run } = context.state;
  return event.headers['idempotency-key'] !== undefined && takesKey(spec) && !dry_run;
}

/** @throws Problem 423 */
export function refuseWhileLocked({ spec, lock, dry_run }: RequestState): void {
  if (lock && !dry_run && waitsForLock(spec)) throw lockedBy(lock);
}
