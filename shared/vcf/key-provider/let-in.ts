// The side of this appliance: a certificate for vCenter's request, and letting in exactly that one, in one transaction with
// the provider where it is new; and taking all of it back.
import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { scopesOfRole } from '../../kernel/access/scopes.ts';
import { listUsers } from '../../kernel/access/user.ts';
import { type AuditEvent, appendAudit } from '../../kernel/audit/audit.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { issuedById } from '../../platform/certificate-authority/certificate-store.ts';
import { createItem, findItem } from '../../platform/units/collection-store.ts';
import { removeClient } from '../../services/kms/trust/clients.ts';
import { type Provider, providers, removeProvider } from '../../services/kms/trust/providers.ts';
import { jobContext } from '../remote/stored-login.ts';
import { inputOf, keep, type LetIn } from './input.ts';
import { KEY_PROVIDER_TASK } from './task.ts';

/** Whoever is let in reads every key of the provider. @throws Problem 403 for who may not let anybody in any more */
async function requireStillMay({ services, job: { created_by } }: JobRun): Promise<void> {
  const [user] = (await listUsers(services.store, { name: created_by, limit: 1 })).items;
  if (user?.enabled && scopesOfRole(user.role).has(KEY_PROVIDER_TASK.scope)) return;
  throw new Problem('insufficient_scope', `${created_by}, who confirmed this, may not change key management any more.`);
}

const recorder =
  (job: JobRun, tx: Transaction) =>
  (event: AuditEvent): Promise<unknown> =>
    appendAudit(tx, job.services.keys, jobContext(job), event, { holdsLock: true });

async function providerOf(job: JobRun, tx: Transaction): Promise<{ provider: Provider; made: boolean }> {
  const { provider_id, provider_name, cluster } = inputOf(job);
  if (provider_id !== '') return { provider: await findItem(tx, providers, provider_id), made: false };
  const description = `Key provider ${cluster} of ${job.job.subject}`.slice(0, 200);
  const draft = { name: provider_name, description, created_by: job.job.created_by };
  const provider = await createItem(tx, job.services, providers, draft);
  const detail = providers.facts(provider);
  await recorder(
    job,
    tx,
  )({ action: 'kms.provider.create', resource_type: 'kms_provider', resource_id: provider.id, detail });
  return { provider, made: true };
}

/**
 * Signs and lets in; the note that the job did it is of the same transaction.
 * @throws Problem 409 `remote_answer_unusable` for a request that can't be signed; as signing and trusting
 */
export async function letIn(job: JobRun, csr: string): Promise<LetIn> {
  const { services } = job;
  await requireStillMay(job);
  const { parseRequest } = await import('../../platform/certificate-authority/csr.ts');
  const { spki, key_algorithm, common_name } = await parseRequest(csr).catch((error) => {
    if (!(error instanceof Problem)) throw error;
    const why = error.members.errors?.map(({ detail }) => detail).join(' ') ?? error.message;
    throw new Problem('remote_answer_unusable', `The signing request of the vCenter can’t be signed. ${why}`);
  });
  const { issueClient } = await import('../../services/kms/trust/issued-client.ts');
  const { host } = inputOf(job).target;
  return services.store.write(async (tx) => {
    const { provider, made } = await providerOf(job, tx);
    const now = instant(services.clock.now());
    const about = {
      provider_id: provider.id,
      name: host.slice(0, 100),
      origin: 'signed',
      by: job.job.created_by,
      now,
    } as const;
    // Named after the machine whose certificate was confirmed, whatever its request says.
    const wanted = { spki, key_algorithm, common_name, names: [host] };
    const { client, events } = await issueClient(tx, services, about, wanted);
    for (const event of events) await recorder(job, tx)(event);
    const let_in: LetIn = {
      client_id: client.id,
      certificate_id: events.find(({ action }) => action === 'certificate.issue')?.resource_id ?? '',
      pem: client.certificate,
      provider_id: provider.id,
      provider_name: provider.name,
      made_provider: made,
    };
    await keep(job.within(tx), { let_in });
    return let_in;
  });
}

/** The client is removed, unless somebody did that already: from then on it gets no key. */
export async function forgetClient(job: JobRun, tx: Transaction, { client_id }: LetIn): Promise<void> {
  const gone = await removeClient(tx, job.services, client_id, job.job.created_by).catch(unlessGone);
  if (gone) await recorder(job, tx)(gone);
}

/**
 * First the client is removed, which shuts it out whatever comes of the rest: its certificate is revoked, and the provider
 * removed where the job made it and it has no key. What somebody did already is no failure.
 */
export async function takeBack(job: JobRun, let_in: LetIn): Promise<void> {
  const { services } = job;
  const { certificate_id, provider_id, made_provider } = let_in;
  await services.store.write((tx) => forgetClient(job, tx, let_in));
  const { revokeCertificate } = await import('../../platform/certificate-authority/revoke.ts');
  await services.store.write(async (tx) => {
    const record = recorder(job, tx);
    const { revoked_at } = (await issuedById(tx, certificate_id)) ?? {};
    if (revoked_at === null)
      await record(await revokeCertificate(tx, services, certificate_id, 'cessationOfOperation'));
    const provider = made_provider ? await findItem(tx, providers, provider_id).catch(unlessGone) : null;
    if (provider && provider.key_count === 0 && provider.client_count === 0) {
      await removeProvider(tx, { ...services, by: job.job.created_by }, provider_id, null);
      const detail = providers.facts(provider);
      await record({ action: 'kms.provider.delete', resource_type: 'kms_provider', resource_id: provider_id, detail });
    }
  });
}

function unlessGone(error: unknown): null {
  if (error instanceof Problem && error.code === 'resource_not_found') return null;
  throw error;
}
