// Queues a push: when somebody asks for it, and when the clock finds that people, groups or settings changed.
import { instant, newId } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { systemActor } from '../../kernel/access/actor.ts';
import { type AuditEvent, appendAudit } from '../../kernel/audit/audit.ts';
import { queueJob, refuseSecond } from '../../kernel/jobs/job.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { clientById } from '../../services/oidc/clients/clients.ts';
import { type Due, pushable } from '../../services/oidc/scim/standing.ts';
import { type ScimTarget, targetById } from '../../services/oidc/scim/targets.ts';
import { peopleOf } from './people.ts';
import { SCIM_KIND, TASKS } from './tasks.ts';
import { pushDigest, wantedOf } from './wanted.ts';

export interface Queued {
  job_id: string;
  event: AuditEvent;
}

/** @throws Problem 409 while one of this target has not ended, and before a certificate was confirmed */
export async function queuePush(
  tx: Transaction,
  { clock, entropy }: Pick<Services, 'clock' | 'entropy'>,
  { id, client_id, base_url, sha256 }: ScimTarget,
  created_by: string,
): Promise<Queued> {
  await refuseSecond(tx, 'pushes to this target', SCIM_KIND, id);
  if (sha256 === null)
    throw new Problem('state_conflict', 'The certificate of the SCIM target is not confirmed yet: look at it first.');
  const job_id = await queueJob(tx, clock.now(), entropy, {
    kind: SCIM_KIND,
    subject: id,
    input: {},
    created_by,
    tasks: TASKS,
  });
  const detail = { job_id, base_url };
  return { job_id, event: { action: 'oidc.scim.push', resource_type: 'oidc_client', resource_id: client_id, detail } };
}

/** For the clock: queues those that are due. Answers their jobs. */
export async function queueDuePushes(services: Services): Promise<string[]> {
  const { store, clock, logger } = services;
  const queued: string[] = [];
  for (const due of await pushable(store, clock.now())) {
    try {
      if (!(await isDue(services, due))) continue;
      const job_id = await queueOne(services, due).catch(unlessOpen);
      if (job_id) queued.push(job_id);
    } catch (error) {
      // The others are pushed all the same.
      logger.error('a SCIM target is not looked at', {
        client_id: due.client_id,
        failure: { message: (error as Error).message },
      });
    }
  }
  return queued;
}

/** What is wanted is not what was pushed last, or that was not all taken. */
async function isDue(services: Services, { id, client_id, pushed_sha256, last_outcome }: Due): Promise<boolean> {
  // A stop by hand is no reason to begin again; a change is.
  if (last_outcome === 'failed' || last_outcome === 'partly') return true;
  const [target, client] = [await targetById(services.store, id), await clientById(services.store, client_id)];
  const people = await peopleOf(services, client!).catch(unlessOpen);
  return people !== null && pushDigest(target, wantedOf(client!, target, people)) !== pushed_sha256;
}

function queueOne(services: Services, { id }: Due): Promise<string> {
  const { store, clock, entropy, keys } = services;
  return store.write(async (tx) => {
    const { job_id, event } = await queuePush(tx, services, await targetById(tx, id), 'Clock of the service');
    const request_id = newId('tick', entropy);
    const who = { at: instant(clock.now()), actor: systemActor('ticker'), request_id, source_address: '' };
    await appendAudit(tx, keys, who, event, { holdsLock: true });
    return job_id;
  });
}

/** One is under way already, or the directory is not in force: the clock comes again. */
function unlessOpen(error: unknown): null {
  if (error instanceof Problem && (error.code === 'state_conflict' || error.code === 'resource_not_found')) return null;
  throw error;
}
