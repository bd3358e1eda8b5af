// Changing and removing a user, which ends what lets the user in. Apart from user.ts, which every operation loads.
import { type Clock, instant } from '../../ground/clock.ts';
import { invalid, Problem } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../ground/store/revision.ts';
import { countCredentials, type Elsewhere, type EndedCredentials, endSessions, endTokens } from './credentials.ts';
import { refuseWhileOwned } from './mutation-lock.ts';
import { type Role, scopesOfRole } from './scopes.ts';
import { findUser, type User } from './user.ts';

interface Shell {
  clock: Clock;
}

export interface UserUpdate {
  role?: Role | undefined;
  enabled?: boolean | undefined;
  password_hash?: string | undefined;
  /** A new password leaves the tokens. Disabling stops them all the same. */
  keep_tokens?: boolean | undefined;
  /** The session to keep (hashed id): the one in which the user changes the own password. */
  keep_session?: string | null;
}

export type ChangedUser = { user: User; ended: EndedCredentials };

/**
 * Changes a user. Disabling, a new role or a new password ends the user's sessions, also those at the OpenID Connect provider. Disabling ends the tokens for good,
 * and a new password does too unless they are to be kept; with a new role they stay but never reach beyond it. The last
 * enabled admin can be neither disabled nor demoted. What gives rights waits for a guarded operation to end (423); what
 * takes them away never does.
 */
export async function updateUser(
  transaction: Transaction,
  shell: Shell & Elsewhere,
  id: string,
  update: UserUpdate,
  if_match: Precondition,
): Promise<ChangedUser> {
  const user = await findUser(transaction, id);
  requireRevision(if_match, user.revision);
  refuseOfProvider(user, update);
  const next = { ...user, role: update.role ?? user.role, enabled: update.enabled ?? user.enabled };
  if (user.role === 'admin' && user.enabled && !user.external && !(next.role === 'admin' && next.enabled)) {
    await refuseLastAdmin(transaction, id);
  }
  if (gives(user, next)) await refuseWhileOwned(transaction);
  const password = update.password_hash;
  const now = shell.clock.now();
  if (next.role === user.role && next.enabled === user.enabled && password === undefined) {
    const { tokens } = await countCredentials(transaction, id, now);
    return { user, ended: { sessions_ended: 0, oidc_sessions_ended: 0, tokens_ended: [], tokens_kept: tokens } };
  }
  await transaction.run(
    `UPDATE user SET role = ?, enabled = ?, password_hash = coalesce(?, password_hash), updated_at = ?,
       revision = revision + 1 WHERE id = ?`,
    [next.role, next.enabled ? 1 : 0, password ?? null, instant(now), id],
  );
  const sessions = await endSessions(transaction, shell, id, now, update.keep_session ?? null);
  const ends = (user.enabled && !next.enabled) || (password !== undefined && update.keep_tokens !== true);
  const tokens_ended = ends ? await endTokens(transaction, id, now) : [];
  const tokens_kept = ends ? 0 : (await countCredentials(transaction, id, now)).tokens;
  return {
    user: { ...next, updated_at: instant(now), revision: user.revision + 1 },
    ended: { ...sessions, tokens_ended, tokens_kept },
  };
}

/**
 * Whether the change grants rights: a write scope, or access again. New read scopes don't count, so that a user can be
 * reduced to viewer at any time.
 */
function gives(user: User, next: User): boolean {
  const had = scopesOfRole(user.role);
  const widened = [...scopesOfRole(next.role)].some((scope) => scope.startsWith('write:') && !had.has(scope));
  return widened || (next.enabled && !user.enabled);
}

/** Role and password of an external person are the provider's. @throws Problem 422 */
function refuseOfProvider({ external, role }: User, update: UserUpdate): void {
  if (!external) return;
  if (update.password_hash !== undefined)
    throw invalid({
      pointer: '/password',
      detail: 'This user signs in at the external provider and has no password here.',
    });
  if (update.role !== undefined && update.role !== role)
    throw invalid({
      pointer: '/role',
      detail:
        'The role comes from the groups at the external provider, at each sign-in: change it there, or the mapping.',
    });
}

/** Removes a user with the sessions and tokens. */
export async function deleteUser(
  transaction: Transaction,
  shell: Pick<Shell, 'clock'> & Elsewhere,
  id: string,
  if_match: Precondition,
): Promise<ChangedUser> {
  const user = await findUser(transaction, id);
  requireRevision(if_match, user.revision);
  if (user.role === 'admin' && user.enabled && !user.external) await refuseLastAdmin(transaction, id);
  const now = shell.clock.now();
  const sessions = await endSessions(transaction, shell, id, now);
  const tokens_ended = await endTokens(transaction, id, now);
  await transaction.run('DELETE FROM user WHERE id = ?', [id]);
  return { user, ended: { ...sessions, tokens_ended, tokens_kept: 0 } };
}

/** An admin of the external provider does not count: the way in must not depend on it. */
async function refuseLastAdmin(transaction: Transaction, id: string): Promise<void> {
  const other = await transaction.one(
    "SELECT 1 AS yes FROM user WHERE role = 'admin' AND enabled = 1 AND password_hash <> '' AND id <> ?",
    [id],
  );
  if (!other)
    throw new Problem(
      'state_conflict',
      'This is the last enabled admin; make another user admin first. Those of the external provider don’t count.',
    );
}
