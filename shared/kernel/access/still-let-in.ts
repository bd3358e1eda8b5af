// Checks a credential a second time. Time passes between the first check and the transaction: the body arrives, a password
// is verified. A credential that was revoked meanwhile must not change anything.
import { Problem } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import type { Actor } from './actor.ts';
import { missingScope } from './missing-scope.ts';
import { type Role, scopesOfRole } from './scopes.ts';

const BEHIND = {
  session: 'SELECT u.role FROM session s JOIN user u ON u.id = s.user_id WHERE s.id_hash = ? AND u.enabled = 1',
  token: `SELECT u.role FROM api_token t JOIN user u ON u.id = t.user_id
    WHERE t.id = ? AND t.revoked_at IS NULL AND u.enabled = 1`,
};

/**
 * Called in the transaction that makes the change, or right before the host is changed. A caller without a credential passes.
 * @throws Problem 401 when the credential was ended, 403 when its user’s role shrank
 */
export async function requireStillLetIn(db: Database, actor: Actor): Promise<void> {
  const { kind, credential_id, scopes } = actor;
  if (kind !== 'session' && kind !== 'token') return;
  const now = await db.one<{ role: Role }>(BEHIND[kind], [credential_id]);
  if (!now) throw ended[kind]();
  const reach = scopesOfRole(now.role);
  const lost = [...scopes].find((scope) => !reach.has(scope));
  if (lost) throw missingScope({ ...actor, role: now.role }, lost);
}

const ended = {
  session: () => new Problem('session_required', 'Your session was ended meanwhile. Sign in to go on.'),
  token: () => new Problem('credentials_revoked', 'This token was revoked meanwhile, or its user was disabled.'),
};
