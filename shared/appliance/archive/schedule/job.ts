// The kind of job that makes an archive by the schedule and copies it to every target in use. What it does is loaded when it
// runs.
import { instant } from '../../../ground/clock.ts';
import { systemActor } from '../../../kernel/access/actor.ts';
import { appendAudit } from '../../../kernel/audit/audit.ts';
import type { JobKind } from '../../../kernel/jobs/kind.ts';
import { SCHEDULE_KIND, targetOf } from './tasks.ts';

export const scheduleJob: JobKind = {
  kind: SCHEDULE_KIND,
  says: () => 'Make an archive and copy it to its targets',
  lane: 'remote',
  stops: 'write:archives',
  async run(job) {
    const { runSchedule } = await import('./run.ts');
    return runSchedule(job);
  },
  async ended(job, outcome) {
    const { services, transaction, id } = job;
    const steps = await job.within(transaction!).tasks();
    const targets = Object.fromEntries(
      steps.flatMap(({ name, state }) => {
        const target = targetOf(name);
        return target === null ? [] : [[target, state]];
      }),
    );
    const who = {
      at: instant(services.clock.now()),
      actor: systemActor(`archive-schedule (${job.job.created_by})`),
      request_id: id,
      source_address: '',
    };
    await appendAudit(
      transaction!,
      services.keys,
      who,
      {
        action: 'archive.schedule.copy',
        resource_type: 'archive_schedule',
        resource_id: null,
        outcome: outcome === 'succeeded' ? 'success' : 'failure',
        detail: { job_id: id, ended: outcome, archive: job.kept.archive ?? null, targets },
      },
      { holdsLock: true },
    );
  },
};
