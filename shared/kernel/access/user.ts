// Users: who may sign in, with one role each. No declared collection, like depot users and API tokens: all plain verbs
// would be replaced, since a password is hashed before the transaction, a change ends credentials and answers how many,
// and changes that take rights away pass the mutation lock. Also, collections depend on users.
import { type Clock, type Entropy, instant, newId } from '../../ground/clock.ts';
import { notFound, Problem } from '../../ground/problems.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { decodeCursor, PAGE_MAX, type Page, pageOf } from '../../ground/store/pagination.ts';
import { type Precondition, requireRevision } from '../../ground/store/revision.ts';
import { countCredentials, type Elsewhere, type EndedCredentials, endSessions, endTokens } from './credentials.ts';
import type { Place } from './hash-places.ts';
import { refuseWhileOwned } from './mutation-lock.ts';
import { pretendToVerify, verifyPassword } from './password.ts';
import { type Role, scopesOfRole } from './scopes.ts';

export interface User {
  id: string;
  name: string;
  role: Role;
  enabled: boolean;
  created_at: string;
  updated_at: string;
  revision: number;
}

interface UserRow extends Omit<User, 'enabled'> {
  enabled: number;
  password_hash: string;
}

interface Shell {
  clock: Clock;
  entropy: Entropy;
}

export const USER_NAME = /^[a-z_][a-z0-9_.-]{0,31}$/;
const COLUMNS = 'id, name, role, enabled, created_at, updated_at, revision';

export interface UserQuery {
  name?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** By name. */
export async function listUsers(database: Database, query: UserQuery = { limit: PAGE_MAX }): Promise<Page<User>> {
  const list = build<UserRow>('user').select(build.raw(COLUMNS)).orderBy('name');
  if (query.name !== undefined) list.where('name', query.name);
  if (query.cursor) list.where('name', '>', String(decodeCursor(query.cursor, 1)[0]));
  const rows = await database.all<UserRow>(list.limit(query.limit + 1));
  return pageOf(rows, query.limit, (row) => [row.name], view);
}

export async function findUser(database: Database, id: string): Promise<User> {
  const row = await database.one<UserRow>(`SELECT ${COLUMNS} FROM user WHERE id = ?`, [id]);
  if (!row) throw notFound('This user');
  return view(row);
}

export const anyUser = async (database: Database): Promise<boolean> =>
  (await database.one('SELECT 1 AS yes FROM user LIMIT 1')) !== undefined;

/** Hashing takes a fifth of a second, so the hash is made before the transaction that stores it. */
export async function createUser(
  transaction: Transaction,
  shell: Shell,
  wanted: { name: string; role: Role; password_hash: string },
): Promise<User> {
  const taken = await transaction.one('SELECT 1 AS taken FROM user WHERE name = ?', [wanted.name]);
  if (taken) throw new Problem('already_exists', `A user named ${wanted.name} already exists.`);
  const now = instant(shell.clock.now());
  const id = newId('user', shell.entropy);
  await transaction.run(
    'INSERT INTO user (id, name, role, password_hash, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
    [id, wanted.name, wanted.role, wanted.password_hash, now, now],
  );
  return { id, name: wanted.name, role: wanted.role, enabled: true, created_at: now, updated_at: now, revision: 1 };
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
 * Changes a user. Disabling, a new role or a new password ends the user's sessions, at clients of OpenID Connect too. Disabling ends the tokens for good,
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
  const next = { ...user, role: update.role ?? user.role, enabled: update.enabled ?? user.enabled };
  if (user.role === 'admin' && user.enabled && !(next.role === 'admin' && next.enabled)) {
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

/** Removes a user with the sessions and tokens. */
export async function deleteUser(
  transaction: Transaction,
  shell: Pick<Shell, 'clock'> & Elsewhere,
  id: string,
  if_match: Precondition,
): Promise<ChangedUser> {
  const user = await findUser(transaction, id);
  requireRevision(if_match, user.revision);
  if (user.role === 'admin' && user.enabled) await refuseLastAdmin(transaction, id);
  const now = shell.clock.now();
  const sessions = await endSessions(transaction, shell, id, now);
  const tokens_ended = await endTokens(transaction, id, now);
  await transaction.run('DELETE FROM user WHERE id = ?', [id]);
  return { user, ended: { ...sessions, tokens_ended, tokens_kept: 0 } };
}

async function refuseLastAdmin(transaction: Transaction, id: string): Promise<void> {
  const other = await transaction.one("SELECT 1 AS yes FROM user WHERE role = 'admin' AND enabled = 1 AND id <> ?", [
    id,
  ]);
  if (!other) throw new Problem('state_conflict', 'This is the last enabled admin; make another user admin first.');
}

/**
 * The user when name and password match and the user is enabled, else null, after the same time either way.
 * `place`: `anyone` for somebody who may be a stranger.
 */
export async function verifyUser(
  database: Database,
  name: string,
  password: string,
  place: Place = 'known',
): Promise<User | null> {
  const row = await database.one<UserRow>('SELECT * FROM user WHERE name = ? AND enabled = 1', [name]);
  if (!row) {
    await pretendToVerify(password, place);
    return null;
  }
  return (await verifyPassword(password, row.password_hash, place)) ? view(row) : null;
}

function view(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    enabled: row.enabled === 1,
    created_at: row.created_at,
    updated_at: row.updated_at,
    revision: row.revision,
  };
}

/** How the audit log names a user by id. */
export const NAMED_USERS = { table: 'user', column: 'name' } as const;
