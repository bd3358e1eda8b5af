// Clients: the certificates that are let in, each as one provider. Three ways lead here, as vCenter offers them: its own
// certificate, one for its signing request, or a pair that is made for it and shown once.
import { type Clock, type Entropy, instant, later, newId } from '../../../ground/clock.ts';
import { invalid, notFound, Problem } from '../../../ground/problems.ts';
import { build } from '../../../ground/store/builder.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import { newestPage, type Page } from '../../../ground/store/pagination.ts';
import type { AuditEvent } from '../../../kernel/audit/audit.ts';
import { isRevoked, revokedSql } from '../../../platform/certificate-authority/revoked.ts';
import type { CLIENT_STATES, ORIGINS } from '../schemas.ts';
import type { ClientCertificate } from './client-certificate.ts';
import { afterTombstones, buriedSql, bury } from './tombstones.ts';

interface Row extends ClientCertificate {
  id: string;
  provider_id: string;
  name: string;
  origin: (typeof ORIGINS)[number];
  created_by: string;
  created_at: string;
  last_seen_at: string | null;
  last_seen_from: string | null;
}

export interface Client extends Omit<Row, 'certificate_pem'> {
  state: (typeof CLIENT_STATES)[number];
  certificate: string;
}

/** Clients of one provider. */
export const CLIENTS_MOST = 100;

export interface NewClient {
  provider_id: string;
  name: string;
  origin: Row['origin'];
  certificate: ClientCertificate;
  by: string;
}

/** @throws Problem 422 at `/provider_id` and where there are too many; 409 for a certificate that is trusted already */
export async function addClient(
  tx: Transaction,
  { clock, entropy }: { clock: Clock; entropy: Entropy },
  { provider_id, name, origin, certificate, by }: NewClient,
): Promise<{ client: Client; event: AuditEvent }> {
  const provider = await requireProvider(tx, provider_id);
  const { sha256 } = certificate;
  const other = await tx.one<{ name: string; provider: string; buried: number }>(
    `SELECT c.name, p.name AS provider, ${buriedSql('c')} AS buried
      FROM kms_client AS c JOIN kms_provider AS p ON p.id = c.provider_id WHERE c.sha256 = ?`,
    [sha256],
  );
  if (other?.buried === 0)
    throw new Problem(
      'already_exists',
      `This certificate is trusted already: as ${other.name} of the provider ${other.provider}.`,
      { errors: [{ pointer: '/certificate', detail: 'It is trusted already.' }] },
    );
  if (await isRevoked(tx, sha256))
    throw invalid({ pointer: '/certificate', detail: 'Our authority has revoked this certificate.' });
  // One that is there and opens nothing makes room.
  if (other) await tx.run('DELETE FROM kms_client WHERE sha256 = ?', [sha256]);
  const id = newId('kmsclient', entropy);
  const { created_at, again } = await afterTombstones(tx, sha256, instant(clock.now()));
  const made = { created_by: by, created_at };
  await tx.run(build('kms_client').insert({ id, provider_id, name, origin, ...certificate, ...made }));
  const { subject, not_after } = certificate;
  const detail = { provider, name, origin, subject, sha256, not_after, ...(again && { removed_before: again }) };
  const event = { action: 'kms.client.create', resource_type: 'kms_client', resource_id: id, detail };
  return { client: await findClient(tx, id, made.created_at), event };
}

/** Its name. @throws Problem 422 */
export async function requireProvider(db: Database, provider_id: string): Promise<string> {
  const provider = await db.one<{ name: string; clients: number }>(
    `SELECT name, (SELECT count(*) FROM kms_client WHERE provider_id = kms_provider.id) AS clients
      FROM kms_provider WHERE id = ?`,
    [provider_id],
  );
  if (!provider) throw invalid({ pointer: '/provider_id', detail: 'There is no such provider.' });
  if (provider.clients >= CLIENTS_MOST)
    throw invalid({ pointer: '/provider_id', detail: `A provider has at most ${CLIENTS_MOST} clients.` });
  return provider.name;
}

const COLUMNS = [
  ...['id', 'provider_id', 'name', 'origin', 'certificate_pem', 'sha256', 'subject', 'not_before', 'not_after'],
  ...['created_by', 'created_at', 'last_seen_at', 'last_seen_from'],
];

type Found = Row & { revoked: number };

const shown = () =>
  build('kms_client').select(
    COLUMNS,
    build.raw(`(${revokedSql('kms_client.sha256')} OR ${buriedSql('kms_client')}) AS revoked`),
  );

function viewOf({ certificate_pem, revoked, ...row }: Found, now: string): Client {
  const { not_before, not_after } = row;
  const state = revoked === 1 ? 'revoked' : not_after < now ? 'expired' : not_before > now ? 'not_yet_valid' : 'valid';
  return { ...row, state, certificate: certificate_pem };
}

/** @throws Problem 404 */
export async function findClient(db: Database, id: string, now: string): Promise<Client> {
  const row = await db.one<Found>(shown().where('id', id));
  if (!row) throw notFound('This client');
  return viewOf(row, now);
}

/** Newest first. @throws Problem 400 */
export async function listClients(
  db: Database,
  { provider_id, ...page }: { provider_id?: string | undefined; limit: number; cursor?: string | undefined },
  now: string,
): Promise<Page<Client>> {
  const list = shown();
  if (provider_id !== undefined) list.where('provider_id', provider_id);
  return newestPage(db, list, page, (row: Found) => viewOf(row, now));
}

/** Days before the end of a client certificate from which on it is told. */
export const EXPIRING_DAYS = 30;

export interface Expiring {
  id: string;
  name: string;
  provider: string;
  not_after: string;
}

/** Clients that are let in and will not be soon, those that ended within as many days too; the first to end first. */
export const expiringClients = (db: Database, now: Date): Promise<Expiring[]> => {
  const [ended, soon] = [-EXPIRING_DAYS, EXPIRING_DAYS].map((days) => instant(later(now, days * 86_400)));
  return db.all<Expiring>(
    `SELECT c.id, c.name, p.name AS provider, c.not_after
      FROM kms_client AS c JOIN kms_provider AS p ON p.id = c.provider_id
      WHERE c.not_after >= ? AND c.not_after <= ? AND NOT ${buriedSql('c')} AND NOT ${revokedSql('c.sha256')}
      ORDER BY c.not_after, c.id LIMIT ${CLIENTS_MOST}`,
    [ended!, soon!],
  );
};

/**
 * From now on it opens nothing, and no restore changes that; connections that are open end with their next request.
 * @throws Problem 404
 */
export async function removeClient(
  tx: Transaction,
  shell: { clock: Clock; entropy: Entropy },
  id: string,
  by: string,
): Promise<AuditEvent> {
  const { name, subject, sha256 } = await findClient(tx, id, instant(shell.clock.now()));
  await bury(tx, shell, { clients: 'id', of: id, why: 'removed', by });
  await tx.run('DELETE FROM kms_client WHERE id = ?', [id]);
  const detail = { name, subject, sha256 };
  return { action: 'kms.client.delete', resource_type: 'kms_client', resource_id: id, detail };
}
