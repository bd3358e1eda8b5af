// The external provider of OpenID Connect at which people may sign in to the appliance: one at most. It is data like the users:
// no apply touches it, and a change takes effect at once. Its client secret is sealed with the key of the vaults.
import { type Clock, type Entropy, instant } from '../../../ground/clock.ts';
import { invalid, notFound, Problem } from '../../../ground/problems.ts';
import { openEntry, type RowPlace, type Sealed, sealEntry } from '../../../ground/sealing/envelope.ts';
import type { Keyring } from '../../../ground/sealing/keyring.ts';
import type { Database, Row, Transaction } from '../../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../../ground/store/revision.ts';
import type { Role } from '../scopes.ts';
import { endExternalSessions } from './people.ts';
import type { ProviderPut } from './schemas.ts';

export interface SignInProvider {
  name: string;
  enabled: boolean;
  issuer: string;
  client_id: string;
  scopes: string[];
  groups_claim: string;
  roles: { group: string; role: Role }[];
  trusted_contexts: string[];
  address: string | null;
  sha256: string | null;
  revision: number;
  created_at: string;
  updated_at: string;
}

interface Shell {
  clock: Clock;
  entropy: Entropy;
  keyring: Keyring;
}

const ID = 'provider';
const PLACE: RowPlace = { table: 'sign_in_provider', row: ID, field: 'client_secret' };
const COLUMNS = `name, enabled, issuer, client_id, scopes, groups_claim, roles, trusted_contexts, address, sha256, revision,
  created_at, updated_at`;

const view = (row: Row): SignInProvider =>
  ({
    ...row,
    enabled: row.enabled === 1,
    scopes: String(row.scopes).split(' '),
    roles: JSON.parse(String(row.roles)),
    trusted_contexts: JSON.parse(String(row.trusted_contexts)),
  }) as unknown as SignInProvider;

/** Undefined: there is none. */
export async function findProvider(db: Database): Promise<SignInProvider | undefined> {
  const row = await db.one<Row>(`SELECT ${COLUMNS} FROM sign_in_provider WHERE id = ?`, [ID]);
  return row && view(row);
}

/** @throws Problem 404 */
export async function requireProvider(db: Database): Promise<SignInProvider> {
  const provider = await findProvider(db);
  if (!provider) throw notFound('The external provider');
  return provider;
}

/** One at which people can sign in now. */
export type UsableProvider = SignInProvider & { address: string; sha256: string };

export const isUsable = (provider: SignInProvider | undefined): provider is UsableProvider =>
  provider?.enabled === true && provider.address !== null && provider.sha256 !== null;

/** Name of the usable one for the sign-in page; null: there is none. */
export async function offeredProvider(db: Database): Promise<string | null> {
  const sql = 'SELECT name FROM sign_in_provider WHERE enabled = 1 AND sha256 IS NOT NULL';
  return (await db.one<{ name: string }>(sql))?.name ?? null;
}

const originOf = (issuer: string): string => new URL(issuer).origin;

/** What of it is compared, in the order of the form. */
const MEMBERS = [
  'name',
  'enabled',
  'issuer',
  'client_id',
  'scopes',
  'groups_claim',
  'roles',
  'trusted_contexts',
] as const;

/** Whoever is in by what these were has to sign in by what they are. */
const GIVE_RIGHTS: readonly string[] = ['issuer', 'client_id', 'groups_claim', 'roles', 'trusted_contexts'];

/**
 * Saves it. The secret is for one server: where that becomes another one it has to be typed again and the certificate to be
 * confirmed. Where it is switched off, or something changes by which it gives rights, the sessions of its people end.
 * @throws Problem 412, 422
 */
export async function putProvider(
  tx: Transaction,
  shell: Shell,
  body: ProviderPut,
  if_match: Precondition,
): Promise<{ provider: SignInProvider; changed: string[]; sessions_ended: number }> {
  const before = await findProvider(tx);
  requireRevision(if_match, before?.revision ?? 0);
  const { client_secret, ...next } = { ...body, scopes: [...new Set(['openid', ...body.scopes])] };
  const other = !before || originOf(before.issuer) !== originOf(next.issuer);
  if (other && client_secret === undefined) {
    const again = before ? 'Enter it again: the provider is another server now.' : 'The client secret is missing.';
    throw invalid({ pointer: '/client_secret', detail: again });
  }
  const changed = [
    ...MEMBERS.filter((member) => JSON.stringify(next[member]) !== JSON.stringify(before?.[member])),
    ...(client_secret === undefined ? [] : ['client_secret']),
  ];
  if (before && changed.length === 0) return { provider: before, changed, sessions_ended: 0 };
  await write(tx, shell, next, client_secret ?? null, other);
  await forgetUnderWay(tx);
  const off = before?.enabled === true && !next.enabled;
  const ends = before !== undefined && (off || changed.some((member) => GIVE_RIGHTS.includes(member)));
  const sessions_ended = ends ? await endExternalSessions(tx) : 0;
  return { provider: await requireProvider(tx), changed, sessions_ended };
}

async function write(
  tx: Transaction,
  shell: Shell,
  next: Omit<ProviderPut, 'client_secret'>,
  secret: string | null,
  other: boolean,
): Promise<void> {
  const now = instant(shell.clock.now());
  const { name, enabled, issuer, client_id, scopes, groups_claim, roles, trusted_contexts } = next;
  const values = [
    ...[name, enabled ? 1 : 0, issuer, client_id, scopes.join(' '), groups_claim],
    ...[JSON.stringify(roles), JSON.stringify(trusted_contexts)],
  ];
  if (secret === null) {
    await tx.run(
      `UPDATE sign_in_provider SET name = ?, enabled = ?, issuer = ?, client_id = ?, scopes = ?, groups_claim = ?, roles = ?,
         trusted_contexts = ?, updated_at = ?, revision = revision + 1 WHERE id = ?`,
      [...values, now, ID],
    );
    return;
  }
  const sealed = sealEntry(await shell.keyring.current(), PLACE, secret, shell.entropy);
  const forget = other ? 1 : 0;
  await tx.run(
    `INSERT INTO sign_in_provider (name, enabled, issuer, client_id, scopes, groups_claim, roles, trusted_contexts, id, kek_id,
       sealed_key, sealed_value, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, enabled = excluded.enabled, issuer = excluded.issuer,
       client_id = excluded.client_id, scopes = excluded.scopes, groups_claim = excluded.groups_claim,
       roles = excluded.roles, trusted_contexts = excluded.trusted_contexts, kek_id = excluded.kek_id,
       sealed_key = excluded.sealed_key, sealed_value = excluded.sealed_value,
       address = iif(?, NULL, address), sha256 = iif(?, NULL, sha256),
       updated_at = excluded.updated_at, revision = revision + 1`,
    [...values, ID, sealed.kek_id, sealed.sealed_key, sealed.sealed_value, now, now, forget, forget],
  );
}

/** @throws Problem 409 where it is another server meanwhile */
export async function confirmProvider(
  tx: Transaction,
  { clock }: Pick<Shell, 'clock'>,
  seen: { issuer: string; address: string; sha256: string },
): Promise<SignInProvider> {
  const now = await requireProvider(tx);
  if (originOf(now.issuer) !== originOf(seen.issuer))
    throw new Problem('state_conflict', 'The provider was changed meanwhile.');
  await tx.run(
    'UPDATE sign_in_provider SET address = ?, sha256 = ?, updated_at = ?, revision = revision + 1 WHERE id = ?',
    [seen.address, seen.sha256, instant(clock.now()), ID],
  );
  return requireProvider(tx);
}

/** Its people stay, disabled in effect: nobody can sign in as them. Answers how many sessions ended. @throws Problem 404, 412 */
export async function removeProvider(
  tx: Transaction,
  if_match: Precondition,
): Promise<{ provider: SignInProvider; sessions_ended: number }> {
  const provider = await requireProvider(tx);
  requireRevision(if_match, provider.revision);
  const sessions_ended = await endExternalSessions(tx);
  await forgetExternal(tx);
  return { provider, sessions_ended };
}

/** In the clear, for the request to the provider alone. @throws Problem 409 `vault_value_unreadable`, `vault_keys_unusable` */
export async function openClientSecret(db: Database, { keyring }: Pick<Shell, 'keyring'>): Promise<string> {
  const row = await db.one<Sealed>('SELECT kek_id, sealed_key, sealed_value FROM sign_in_provider WHERE id = ?', [ID]);
  const key = row && (await keyring.find(row.kek_id));
  try {
    return openEntry({ id: row!.kek_id, key: key! }, PLACE, row!);
  } catch {
    throw new Problem(
      'vault_value_unreadable',
      'The client secret of the external provider can’t be opened. Enter it again.',
    );
  }
}

/** The provider, and what waits for it. */
export async function forgetExternal(tx: Transaction): Promise<void> {
  await tx.run('DELETE FROM sign_in_provider');
  await forgetUnderWay(tx);
}

async function forgetUnderWay(tx: Transaction): Promise<void> {
  await tx.run('DELETE FROM external_sign_in');
}
