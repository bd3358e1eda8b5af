// Between the look at a credential and the transaction time passes, as much as the caller likes: the body arrives, a password is
// verified. What was ended meanwhile changes nothing any more.
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
 * Asked in the transaction in which the credential is to change something, or right before it changes the host. Whoever shows none is let through.
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
