// SCIM targets in the database: one for each client at most. They are data like their clients: no apply touches them.
import { instant, newId } from '../../../ground/clock.ts';
import { invalid, notFound, Problem } from '../../../ground/problems.ts';
import { sealEntry } from '../../../ground/sealing/envelope.ts';
import type { Database, Row, Transaction } from '../../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../../ground/store/revision.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import type { Client } from '../clients/clients.ts';
import { canonicalBaseUrl, partsOf } from './base-url.ts';
import { forgetObjects } from './objects.ts';
import type { DEPARTED, PUSH_OUTCOMES, ScimTargetPut } from './schemas.ts';
import { tokenPlace } from './token.ts';

export interface ScimTarget {
  id: string;
  client_id: string;
  base_url: string;
  enabled: boolean;
  groups: string[];
  domain: string;
  departed: (typeof DEPARTED)[number];
  address: string | null;
  sha256: string | null;
  last_job_id: string | null;
  last_outcome: (typeof PUSH_OUTCOMES)[number] | null;
  last_at: string | null;
  last_reason: string;
  next_at: string | null;
  revision: number;
  created_at: string;
  updated_at: string;
}

const COLUMNS = `id, client_id, base_url, enabled, groups, domain, departed, address, sha256, last_job_id, last_outcome, last_at,
  last_reason, next_at, revision, created_at, updated_at`;

const view = (row: Row): ScimTarget =>
  ({ ...row, enabled: row.enabled === 1, groups: JSON.parse(String(row.groups)) }) as unknown as ScimTarget;

/** Undefined: the client has none. */
export async function targetOfClient(db: Database, client_id: string): Promise<ScimTarget | undefined> {
  const row = await db.one<Row>(`SELECT ${COLUMNS} FROM scim_target WHERE client_id = ?`, [client_id]);
  return row && view(row);
}

/** @throws Problem 404 */
export async function requireTarget(db: Database, client_id: string): Promise<ScimTarget> {
  const target = await targetOfClient(db, client_id);
  if (!target) throw notFound('The SCIM target of this client');
  return target;
}

/** @throws Problem 404 */
export async function targetById(db: Database, id: string): Promise<ScimTarget> {
  const row = await db.one<Row>(`SELECT ${COLUMNS} FROM scim_target WHERE id = ?`, [id]);
  if (!row) throw notFound('This SCIM target');
  return view(row);
}

type Shell = Pick<Services, 'clock' | 'entropy' | 'keyring'>;

export interface Saved {
  target: ScimTarget;
  /** Members that changed; of the token only that it did. */
  changed: string[];
}

/**
 * Saves the target of a client. A token is for one server: where that becomes another one the token has to be typed again and
 * the certificate to be confirmed, and what was sent to the former place is forgotten; it stays there.
 * @throws Problem 409, 412, 422
 */
export async function putTarget(
  tx: Transaction,
  shell: Shell,
  client: Client,
  body: ScimTargetPut,
  if_match: Precondition,
): Promise<Saved> {
  const before = await targetOfClient(tx, client.id);
  requireRevision(if_match, before?.revision ?? 0);
  const base_url = canonicalBaseUrl(body.base_url);
  const groups = [...new Set(body.groups)].sort();
  refuseUnknownGroups(client, groups);
  const next = { base_url, enabled: body.enabled, groups, domain: body.domain.toLowerCase(), departed: body.departed };
  const other = !before || partsOf(before.base_url).server !== partsOf(base_url).server;
  if (other && body.token === undefined) {
    const again = before ? 'Enter it again: the target is another server now.' : 'A token is missing.';
    throw invalid({ pointer: '/token', detail: again });
  }
  const changed = [
    ...(Object.keys(next) as (keyof typeof next)[]).filter(
      (member) => JSON.stringify(next[member]) !== JSON.stringify(before?.[member]),
    ),
    ...(body.token === undefined ? [] : ['token']),
  ];
  if (before && changed.length === 0) return { target: before, changed };
  const id = before?.id ?? newId('scimtarget', shell.entropy);
  await write(tx, shell, { id, client_id: client.id, ...next }, body.token ?? null, other);
  if (before && before.base_url !== base_url) await forgetObjects(tx, id);
  return { target: await targetById(tx, id), changed };
}

type Wanted = Pick<ScimTarget, 'id' | 'client_id' | 'base_url' | 'enabled' | 'groups' | 'domain' | 'departed'>;

async function write(tx: Transaction, shell: Shell, next: Wanted, token: string | null, other: boolean): Promise<void> {
  const { id, client_id, base_url, enabled, groups, domain, departed } = next;
  const now = instant(shell.clock.now());
  const values = [base_url, enabled ? 1 : 0, JSON.stringify(groups), domain, departed];
  if (token === null) {
    await tx.run(
      `UPDATE scim_target SET base_url = ?, enabled = ?, groups = ?, domain = ?, departed = ?, failures = 0, next_at = NULL,
         updated_at = ?, revision = revision + 1 WHERE id = ?`,
      [...values, now, id],
    );
    return;
  }
  const sealed = sealEntry(await shell.keyring.current(), tokenPlace(id), token, shell.entropy);
  await tx.run(
    `INSERT INTO scim_target (base_url, enabled, groups, domain, departed, id, client_id, kek_id, sealed_key, sealed_value,
       created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (client_id) DO UPDATE SET base_url = excluded.base_url, enabled = excluded.enabled,
       groups = excluded.groups, domain = excluded.domain, departed = excluded.departed, kek_id = excluded.kek_id,
       sealed_key = excluded.sealed_key, sealed_value = excluded.sealed_value, failures = 0, next_at = NULL,
       address = iif(?, NULL, address), sha256 = iif(?, NULL, sha256),
       updated_at = excluded.updated_at, revision = revision + 1`,
    [
      ...values,
      id,
      client_id,
      sealed.kek_id,
      sealed.sealed_key,
      sealed.sealed_value,
      now,
      now,
      other ? 1 : 0,
      other ? 1 : 0,
    ],
  );
}

/** A name that the client is never told of would push nobody. */
function refuseUnknownGroups({ sends_groups }: Client, groups: readonly string[]): void {
  if (sends_groups.length === 0) return;
  const told = new Set(sends_groups.map(({ as }) => as.toLowerCase()));
  const unknown = groups.filter((group) => !told.has(group.toLowerCase()));
  if (unknown.length === 0) return;
  const detail = `The client is not told of ${unknown.map((name) => JSON.stringify(name)).join(', ')}: add it to the groups of the client first.`;
  throw invalid({ pointer: '/groups', detail });
}

/** @throws Problem 409 where the target is another server meanwhile */
export async function confirmCertificate(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  seen: { target: ScimTarget; address: string; sha256: string },
): Promise<ScimTarget> {
  const { target, address, sha256 } = seen;
  const now = await targetById(tx, target.id);
  if (partsOf(now.base_url).server !== partsOf(target.base_url).server)
    throw new Problem('state_conflict', 'The target was changed meanwhile.');
  await tx.run(
    `UPDATE scim_target SET address = ?, sha256 = ?, failures = 0, next_at = NULL, updated_at = ?, revision = revision + 1
     WHERE id = ?`,
    [address, sha256, instant(clock.now()), target.id],
  );
  return targetById(tx, target.id);
}

/** What is at the target stays there. @throws Problem 404, 412 */
export async function removeTarget(tx: Transaction, client_id: string, if_match: Precondition): Promise<ScimTarget> {
  const target = await requireTarget(tx, client_id);
  requireRevision(if_match, target.revision);
  await tx.run('DELETE FROM scim_target WHERE id = ?', [target.id]);
  return target;
}
