// Who may have a terminal, and the files of another machine: an administrator's own session that has the right to it.
import type { Actor } from '../../../kernel/access/actor.ts';
import { authenticateSession } from '../../../kernel/access/session.ts';
import type { Services } from '../../../kernel/operation/services.ts';

/** Null: nobody signed in, or somebody who may not. */
export async function mayOpen(services: Services, session_id: string): Promise<Actor | null> {
  const found = await authenticateSession(services.store, services, session_id);
  const actor = found?.actor;
  return actor?.role === 'admin' && actor.scopes.has('write:terminal') ? actor : null;
}
