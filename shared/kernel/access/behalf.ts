// On whose behalf a job works, for one that saves what somebody sent: they must still be allowed to when it saves.
import { Problem } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import type { Actor } from './actor.ts';
import { type Role, type Scope, scopesOfRole } from './scopes.ts';

export interface Behalf {
  /** Null: the system itself, which needs nobody's leave. */
  user_id: string | null;
  /** Null: it was asked for in a session, which may have ended by then. */
  token_id: string | null;
}

export const behalfOf = ({ kind, user_id, credential_id }: Actor): Behalf => ({
  user_id,
  token_id: kind === 'token' ? credential_id : null,
});

const ROLE = `SELECT role FROM user WHERE id = ?1 AND enabled = 1
  AND (?2 IS NULL OR EXISTS (SELECT 1 FROM api_token WHERE id = ?2 AND user_id = ?1 AND revoked_at IS NULL))`;

/** @throws Problem 401 when the user was removed or disabled or the token revoked, 403 when the role no longer has the scope */
export async function requireStillMay(db: Database, { user_id, token_id }: Behalf, scope: Scope): Promise<void> {
  if (user_id === null) return;
  const found = await db.one<{ role: Role }>(ROLE, [user_id, token_id]);
  if (!found) {
    const detail = 'Who asked for this was removed or disabled since then, or their token was revoked.';
    throw new Problem('credentials_revoked', detail);
  }
  if (scopesOfRole(found.role).has(scope)) return;
  const detail = `Who asked for this has the role ${found.role} by now, which does not include ${scope}.`;
  throw new Problem('insufficient_scope', detail, { scope, lacks: 'role', role: found.role });
}
