// Users: who may sign in, with one role each. No declared collection, like depot users and API tokens: all plain verbs
// would be replaced, since a password is hashed before the transaction, a change ends credentials and answers how many,
// and changes that take rights away pass the mutation lock. Also, collections depend on users.
import { type Clock, type Entropy, instant, newId } from '../../ground/clock.ts';
import { notFound, Problem } from '../../ground/problems.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { PAGE_MAX, type Page } from '../../ground/store/pagination.ts';
import type { Points } from '../../ground/store/point-reads.ts';
import { searchIn, sortedPage } from '../../ground/store/sorted-page.ts';
import type { Place } from './hash-places.ts';
import { pretendToVerify, verifyPassword } from './password.ts';
import { ROLES, type Role } from './scopes.ts';

export interface User {
  id: string;
  name: string;
  role: Role;
  enabled: boolean;
  /** From the external provider: without a password here, and with the role that its groups give. */
  external: boolean;
  created_at: string;
  updated_at: string;
  revision: number;
}

interface UserRow extends Omit<User, 'enabled' | 'external'> {
  enabled: number;
  external: number;
  password_hash: string;
}

interface Shell {
  clock: Clock;
  entropy: Entropy;
}

export const USER_NAME = /^[a-z_][a-z0-9_.-]{0,31}$/;
/** Member of a row → the expression that answers it. */
const MEMBERS = {
  id: 'id',
  name: 'name',
  role: 'role',
  enabled: 'enabled',
  external: "password_hash = ''",
  created_at: 'created_at',
  updated_at: 'updated_at',
  revision: 'revision',
};
const COLUMNS = Object.entries(MEMBERS)
  .map(([member, sql]) => (member === sql ? sql : `${sql} AS ${member}`))
  .join(', ');

export interface UserQuery {
  name?: string | undefined;
  /** A part of a name, in any case. */
  search?: string | undefined;
  role?: Role | undefined;
  enabled?: boolean | undefined;
  /** One of USER_SORTS, `-` before it for descending. */
  sort?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

const SORTS = { name: 'name', role: 'role', enabled: 'enabled', updated_at: 'updated_at' };
export const USER_SORTS = Object.keys(SORTS);

/** The list that its page shows, by the texts of the page's query. */
export const userFilter = ({ search, sort, state, role }: Partial<Record<string, string>>) => ({
  search,
  sort,
  role: ROLES.find((known) => known === role),
  enabled: state === 'enabled' || state === 'disabled' ? state === 'enabled' : undefined,
});

/** By name, unless another order is asked for. */
export async function listUsers(database: Database, query: UserQuery = { limit: PAGE_MAX }): Promise<Page<User>> {
  const list = build<UserRow>('user').select(build.raw(COLUMNS));
  if (query.name !== undefined) list.where('name', query.name);
  if (query.role !== undefined) list.where('role', query.role);
  if (query.enabled !== undefined) list.where('enabled', query.enabled ? 1 : 0);
  searchIn(list, ['name'], query.search);
  return sortedPage<UserRow, User>(database, list, { sorts: SORTS, own: ['name'] }, query, view);
}

export async function findUser(database: Database, id: string): Promise<User> {
  const row = await database.one<UserRow>(`SELECT ${COLUMNS} FROM user WHERE id = ?`, [id]);
  if (!row) throw notFound('This user');
  return view(row);
}

/** By id, those who may sign in. */
export const enabledUsers: Points<User> = {
  sql: `SELECT id AS key, json_object(${Object.entries(MEMBERS).map(([member, sql]) => `'${member}', ${sql}`)}) AS row FROM user WHERE enabled = 1 AND id IN (SELECT value FROM json_each(?))`,
  open: (row) => view(JSON.parse(row) as UserRow),
};

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
  const { name, role, password_hash } = wanted;
  const external = password_hash === '';
  return { id, name, role, enabled: true, external, created_at: now, updated_at: now, revision: 1 };
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
  const row = await database.one<UserRow>(
    `SELECT ${COLUMNS}, password_hash FROM user WHERE name = ? AND enabled = 1 AND password_hash <> ''`,
    [name],
  );
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
    external: row.external === 1,
    created_at: row.created_at,
    updated_at: row.updated_at,
    revision: row.revision,
  };
}

/** Another revision, and nothing else: what looked at the user before has to look again. */
export async function outdate(tx: Transaction, id: string): Promise<void> {
  await tx.run('UPDATE user SET revision = revision + 1 WHERE id = ?', [id]);
}

/** How the audit log names a user by id. */
export const NAMED_USERS = { table: 'user', column: 'name' } as const;
