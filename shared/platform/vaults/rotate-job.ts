// Rotation as a durable job. A run that was killed continues: the id of the new key is chosen when the job is queued.

import { instant } from '../../ground/clock.ts';
import { newKeyId } from '../../ground/sealing/keyring.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { systemActor } from '../../kernel/access/actor.ts';
import { type AuditContext, type AuditEvent, appendAudit } from '../../kernel/audit/audit.ts';
import { queueJob, refuseSecond } from '../../kernel/jobs/job.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import type { JobKind } from '../../kernel/jobs/runner.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { makeKey, refuseUnreadable, retireKeys, rewrapEntries } from './rotate.ts';

export const ROTATE_KIND = 'vault-rotate';
const KEY = 'key';
const WRAP = 'wrap';
const RETIRE = 'retire';

/**
 * Queues the job in the caller's transaction.
 * @throws Problem 409 while another one is queued or runs, and when the keys file can't be used
 */
export async function queueRotation(
  tx: Transaction,
  { clock, entropy, keyring }: Pick<Services, 'clock' | 'entropy' | 'keyring'>,
  created_by: string,
): Promise<{ job_id: string; kek_id: string }> {
  await refuseSecond(tx, 'rotates the key of the vaults', ROTATE_KIND);
  await keyring.current();
  const kek_id = newKeyId(entropy);
  const job_id = await queueJob(tx, clock.now(), entropy, {
    kind: ROTATE_KIND,
    subject: kek_id,
    input: {},
    created_by,
    tasks: [
      { name: KEY, title: 'Make a new key' },
      { name: WRAP, title: 'Seal the key of every value under it' },
      { name: RETIRE, title: 'Forget keys that nothing uses' },
    ],
  });
  return { job_id, kek_id };
}

export const rotateJob: JobKind = {
  kind: ROTATE_KIND,
  says: () => 'Rotate the key of the vaults',
  async run(job) {
    const { services } = job;
    const tasks = new Map((await job.tasks()).map(({ name, state }) => [name, state]));
    if (tasks.get(KEY) !== 'succeeded') {
      await job.startTask(KEY);
      job.stopIfFenced();
      await makeKey(services, job.job.subject!);
      await job.endTask(KEY, 'succeeded');
    }
    await job.startTask(WRAP);
    const rewrapped = await rewrapEntries(services, async () => {
      job.stopIfFenced();
      await job.stopIfAsked();
    });
    await job.say(WRAP, `${rewrapped.entries} values`, { kind: 'write', ok: rewrapped.unreadable.length === 0 });
    if (rewrapped.unreadable.length === 0) await job.endTask(WRAP, 'succeeded');
    await job.startTask(RETIRE);
    job.stopIfFenced();
    const retired = await retireKeys(services, contextOf(job), rewrapped);
    await job.say(RETIRE, `${retired.length} keys forgotten`, { kind: 'write', ok: true });
    await job.endTask(RETIRE, 'succeeded');
    refuseUnreadable(rewrapped);
    return { kek_id: job.job.subject, entries: rewrapped.entries, retired };
  },
  async ended(job, outcome) {
    if (outcome === 'succeeded') return;
    const event: AuditEvent = {
      action: 'vault.key.rotate',
      resource_type: 'vault_key',
      resource_id: job.job.subject,
      outcome: 'failure',
      detail: { job_id: job.id, ended: outcome },
    };
    await appendAudit(job.transaction!, job.services.keys, contextOf(job), event, { holdsLock: true });
  },
};

function contextOf({ services, id, job }: JobRun): AuditContext {
  const actor = systemActor(`vault-rotate (${job.created_by})`);
  return { at: instant(services.clock.now()), actor, request_id: id, source_address: '' };
}
