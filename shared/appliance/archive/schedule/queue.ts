// Queues the job that makes an archive and its copies: when somebody asks for it, and when the clock does.
import { instant, newId } from '../../../ground/clock.ts';
import { Problem } from '../../../ground/problems.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import { systemActor } from '../../../kernel/access/actor.ts';
import { type AuditEvent, appendAudit } from '../../../kernel/audit/audit.ts';
import { queueJob, refuseSecond } from '../../../kernel/jobs/job.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { asked, countedFrom, countFrom } from './clock.ts';
import { readSchedule } from './document.ts';
import { allTargets } from './target-store.ts';
import { copyTask, MAKE_TASK, SCHEDULE_KIND } from './tasks.ts';

/** @throws Problem 409 while one is queued or runs; without a recipient or a target in use */
export async function queueRun(
  tx: Transaction,
  { clock, entropy }: Pick<Services, 'clock' | 'entropy'>,
  created_by: string,
  due_at: string | null,
): Promise<{ job_id: string; event: AuditEvent }> {
  await refuseSecond(tx, 'makes an archive', SCHEDULE_KIND);
  const { recipients } = await readSchedule(tx);
  if (recipients.length === 0)
    throw new Problem('state_conflict', 'The schedule has no recipient yet. Save one first.');
  const targets = (await allTargets(tx)).filter(({ enabled }) => enabled);
  if (targets.length === 0) throw new Problem('state_conflict', 'No target is in use. Add one first.');
  const job_id = await queueJob(tx, clock.now(), entropy, {
    kind: SCHEDULE_KIND,
    subject: null,
    input: { due_at },
    created_by,
    tasks: [
      { name: MAKE_TASK, title: 'Make an archive' },
      ...targets.map(({ id, name }) => ({ name: copyTask(id), title: `Copy it to ${name}` })),
    ],
  });
  const detail = { job_id, due_at, targets: targets.map(({ name }) => name) };
  return {
    job_id,
    event: { action: 'archive.schedule.run', resource_type: 'archive_schedule', resource_id: null, detail },
  };
}

/** Whether a run may begin: one that was missed meanwhile is made up for later. */
async function isPossible(db: Database): Promise<boolean> {
  const open = await db.one<{ id: string }>(`SELECT id FROM archive_target WHERE enabled = 1 LIMIT 1`);
  return open !== undefined;
}

/** For the clock: queues a run that is due. Answers its job. */
export async function queueDue(services: Services): Promise<string | null> {
  const { store, clock, entropy, keys } = services;
  if (!(await readSchedule(store)).enabled) return null;
  const look = async (db: Database) => asked(await readSchedule(db), await countedFrom(db), clock.now());
  if ((await look(store)) === null || !(await isPossible(store))) return null;
  return store.write(async (tx) => {
    const [{ enabled }, wanted] = [await readSchedule(tx), await look(tx)];
    const now = instant(clock.now());
    if (!enabled || wanted === null) return null;
    if (wanted === 'restart') {
      await countFrom(tx, now);
      return null;
    }
    const due_at = instant(wanted.due);
    const queued = await queueRun(tx, services, 'Clock of the service', due_at).catch(unlessConflict);
    if (queued === null) return null;
    await countFrom(tx, due_at);
    const who = { at: now, actor: systemActor('ticker'), request_id: newId('tick', entropy), source_address: '' };
    await appendAudit(tx, keys, who, queued.event, { holdsLock: true });
    return queued.job_id;
  });
}

/** One runs already: this time is counted when it has ended. */
function unlessConflict(error: unknown): null {
  if (error instanceof Problem && error.code === 'state_conflict') return null;
  throw error;
}
