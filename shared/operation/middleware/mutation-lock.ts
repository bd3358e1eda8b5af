// 423 at once while an apply or a restore owns all mutations. The audit row that commits a mutation checks again, for
// a lock taken after this look.
import { lockedBy } from '../mutation-lock.ts';
import type { Middleware } from '../request.ts';

export const mutationLock: Middleware = {
  before({ context }) {
    const { spec, lock } = context.state;
    if (spec.effect !== 'read' && spec.guarded !== false && lock) throw lockedBy(lock);
    return undefined;
  },
};
