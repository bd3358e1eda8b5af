// 423 at once while an apply or a restore owns all mutations. The audit row that commits a mutation checks again, for
// a lock taken after this look.
import { lockedBy } from '../mutation-lock.ts';
import type { Middleware, OperationRequest, RequestState } from '../request.ts';
import type { Services } from '../services.ts';

export const mutationLock: Middleware = {
  async before(request) {
    const { services, state } = request.context;
    // It may be the same request once more, perhaps the one that took the lock: idempotency looks first then.
    if (!isKeyed(request)) await refuseWhileLocked(services, state);
    return undefined;
  },
};

/** Whether the answer may be there already. A dry run has no effect that a key could keep from happening twice. */
export function isKeyed({ event, context }: OperationRequest): boolean {
  const { spec, dry_run } = context.state;
  return event.headers['idempotency-key'] !== undefined && spec.method === 'POST' && spec.plane === 'api' && !dry_run;
}

/** @throws Problem 423 */
export async function refuseWhileLocked({ store }: Services, { spec, lock }: RequestState): Promise<void> {
  if (spec.effect !== 'read' && spec.guarded !== false && lock) throw await lockedBy(store, lock);
}
