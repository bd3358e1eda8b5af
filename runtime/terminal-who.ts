// Who may have a terminal: an administrator's own session that has the right to it.
import type { Actor } from '../shared/kernel/access/actor.ts';
import { authenticateSession } from '../shared/kernel/access/session.ts';
import type { Services } from '../shared/kernel/operation/services.ts';

/** Null: nobody signed in, or somebody who may not. */
export async function mayOpen(services: Services, session_id: string): Promise<Actor | null> {
  const found = await authenticateSession(services.store, services, session_id);
  const actor = found?.actor;
  return actor?.role === 'admin' && actor.scopes.has('write:terminal') ? actor : null;
}
