// People of the external provider. Issuer and subject say who somebody is, never a name or an address that may be given to
// another one: an account of the appliance is never taken over by a name. The role is that of the last sign-in.
import { type Clock, type Entropy, instant } from '../../../ground/clock.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import {
  type Elsewhere,
  type EndedCredentials,
  endSessions,
  endSessionsAndSignIns,
  endTokens,
} from '../credentials.ts';
import { refuseWhileOwned } from '../mutation-lock.ts';
import { ROLES, type Role, scopesOfRole } from '../scopes.ts';
import { createUser, findUser, USER_NAME, type User } from '../user.ts';

/** What the provider says of somebody, after all checks. */
export interface ExternalIdentity {
  issuer: string;
  subject: string;
  /** What the account is to be named after. */
  name: string;
  groups: string[];
  /** Values of `acr` and `amr`: how somebody signed in there. */
  contexts: string[];
}

export interface Recognised {
  user: User;
  made: boolean;
  /** Null: it stays. */
  role_before: Role | null;
}

/** The highest role of the groups; null: none has one. Groups are compared to the letter. */
export function roleOf(groups: readonly string[], roles: readonly { group: string; role: Role }[]): Role | null {
  const own = new Set(roles.filter(({ group }) => groups.includes(group)).map(({ role }) => role));
  return ROLES.find((role) => own.has(role)) ?? null;
}

export const isExternal = async (db: Database, user_id: string): Promise<boolean> =>
  (await db.one('SELECT 1 AS yes FROM external_person WHERE user_id = ?', [user_id])) !== undefined;

/** The account of somebody; undefined: there is none yet. */
export async function userOf(
  db: Database,
  { issuer, subject }: Pick<ExternalIdentity, 'issuer' | 'subject'>,
): Promise<User | undefined> {
  const sql = 'SELECT user_id FROM external_person WHERE issuer = ? AND subject = ?';
  const row = await db.one<{ user_id: string }>(sql, [issuer, subject]);
  return row && findUser(db, row.user_id);
}

/**
 * The account, made at the first sign-in, with the role of now. Where that is another one, sessions of the former end.
 * @throws Problem 423 while an apply owns all mutations and the sign-in would give rights
 */
export async function recognise(
  tx: Transaction,
  shell: { clock: Clock; entropy: Entropy } & Elsewhere,
  identity: ExternalIdentity,
  role: Role,
): Promise<Recognised> {
  const at = instant(shell.clock.now());
  const known = await userOf(tx, identity);
  if (!known) {
    await refuseWhileOwned(tx);
    const user = await createUser(tx, shell, { name: await freeName(tx, identity.name), role, password_hash: '' });
    const { issuer, subject } = identity;
    await tx.run('INSERT INTO external_person (user_id, issuer, subject, last_sign_in_at) VALUES (?, ?, ?, ?)', [
      ...[user.id, issuer, subject, at],
    ]);
    return { user, made: true, role_before: null };
  }
  await tx.run('UPDATE external_person SET last_sign_in_at = ? WHERE user_id = ?', [at, known.id]);
  if (known.role === role) return { user: known, made: false, role_before: null };
  if (widens(known.role, role)) await refuseWhileOwned(tx);
  await tx.run('UPDATE user SET role = ?, updated_at = ?, revision = revision + 1 WHERE id = ?', [role, at, known.id]);
  await endSessions(tx, shell, known.id, shell.clock.now());
  return { user: await findUser(tx, known.id), made: false, role_before: known.role };
}

/**
 * Ends all that lets somebody in whose groups give no role any more: sessions, open sign-ins, and tokens for good. The account
 * stays as it is, so that a later sign-in with a role is let in.
 */
export async function withdraw(
  tx: Transaction,
  shell: { clock: Clock } & Elsewhere,
  user_id: string,
): Promise<EndedCredentials> {
  const now = shell.clock.now();
  const sessions = await endSessionsAndSignIns(tx, shell, user_id, now);
  return { ...sessions, tokens_ended: await endTokens(tx, user_id, now), tokens_kept: 0 };
}

const widens = (before: Role, now: Role): boolean =>
  [...scopesOfRole(now)].some((scope) => scope.startsWith('write:') && !scopesOfRole(before).has(scope));

/** Room for a number behind it. */
const NAME_MOST = 27;

/** The name in the characters that names here have. */
export function nameFrom(text: string): string {
  const name = text
    .split('@')[0]!
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9_.-]+/g, '-')
    .replace(/^[^a-z_]+/, '')
    .slice(0, NAME_MOST)
    .replace(/[-.]+$/, '');
  return USER_NAME.test(name) ? name : 'person';
}

/** Another account of the same name keeps it, whoever that is. */
async function freeName(tx: Transaction, text: string): Promise<string> {
  const name = nameFrom(text);
  const rows = await tx.all<{ name: string }>('SELECT name FROM user WHERE name = ? OR name GLOB ?', [
    name,
    `${name}-[0-9]*`,
  ]);
  const taken = new Set(rows.map((row) => row.name));
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}

/** Answers how many. */
export async function endExternalSessions(tx: Transaction): Promise<number> {
  await tx.run('DELETE FROM sign_in_step WHERE user_id IN (SELECT user_id FROM external_person)');
  return tx.run('DELETE FROM session WHERE user_id IN (SELECT user_id FROM external_person)');
}
