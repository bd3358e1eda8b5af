// Users: who may sign in, with one role each.
import { type Clock, type Entropy, instant, newId } from '../operation/clock.ts';
import { refuseWhileOwned } from '../operation/mutation-lock.ts';
import { invalid, notFound, Problem } from '../operation/problems.ts';
import { build } from '../store/builder.ts';
import type { Database, Transaction } from '../store/database.ts';
import { decodeCursor, PAGE_MAX, type Page, pageOf } from '../store/pagination.ts';
import { requireRevision } from '../store/revision.ts';
import type { Place } from './hash-places.ts';
import { hashPassword, pretendToVerify, verifyPassword } from './password.ts';
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
}

/**
 * Changes a user. Disabling, a new role or a new password ends the user's sessions; disabling stops the tokens as well
 * (they are checked against the user at each call). The last enabled admin can be neither disabled nor demoted. What gives
 * rights waits for a guarded operation to end (423); what takes them away never does.
 */
export async function updateUser(
  transaction: Transaction,
  shell: Shell,
  id: string,
  update: UserUpdate,
  revision: number | null,
): Promise<User> {
  const user = await findUser(transaction, id);
  requireRevision(revision, user.revision);
  const next = { ...user, role: update.role ?? user.role, enabled: update.enabled ?? user.enabled };
  if (user.role === 'admin' && user.enabled && !(next.role === 'admin' && next.enabled)) {
    await refuseLastAdmin(transaction, id);
  }
  if (gives(user, next)) await refuseWhileOwned(transaction);
  const password = update.password_hash;
  if (next.role === user.role && next.enabled === user.enabled && password === undefined) return user;
  const now = instant(shell.clock.now());
  await transaction.run(
    `UPDATE user SET role = ?, enabled = ?, password_hash = coalesce(?, password_hash), updated_at = ?,
       revision = revision + 1 WHERE id = ?`,
    [next.role, next.enabled ? 1 : 0, password ?? null, now, id],
  );
  await transaction.run('DELETE FROM session WHERE user_id = ?', [id]);
  return { ...next, updated_at: now, revision: user.revision + 1 };
}

/** A role that only reads more changes nothing: whoever has a writing role can be made a viewer at any moment. */
function gives(user: User, next: User): boolean {
  const had = scopesOfRole(user.role);
  const widened = [...scopesOfRole(next.role)].some((scope) => scope.startsWith('write:') && !had.has(scope));
  return widened || (next.enabled && !user.enabled);
}

/** Removes a user with the sessions and tokens. */
export async function deleteUser(transaction: Transaction, id: string, revision: number | null): Promise<User> {
  const user = await findUser(transaction, id);
  requireRevision(revision, user.revision);
  if (user.role === 'admin' && user.enabled) await refuseLastAdmin(transaction, id);
  await transaction.run('DELETE FROM user WHERE id = ?', [id]);
  return user;
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

/** Hash of an acceptable password. @throws Problem 422 at `pointer` when it contains the user's name. */
export async function acceptPassword(password: string, user_name: string, pointer = '/password'): Promise<string> {
  if (password.toLowerCase().includes(user_name.toLowerCase())) {
    throw invalid({ pointer, detail: 'The password must not contain the user name.' });
  }
  return hashPassword(password);
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
