// Makes an archive and its copies now, whatever the clock says.
import { ARCHIVES_PATH, ARCHIVES_TAG } from '../../../shared/appliance/archive/kept.ts';
import { queueRun } from '../../../shared/appliance/archive/schedule/queue.ts';
import { runSchema } from '../../../shared/appliance/archive/schedule/schemas.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'runArchiveSchedule',
  method: 'POST',
  path: `${ARCHIVES_PATH}/schedule/run`,
  access: { scope: 'write:archives' },
  effect: 'queues-job',
  tag: ARCHIVES_TAG,
  summary: 'Run the schedule of archives now',
  description:
    'Queues a durable job, also while the schedule is off: it makes one archive for the saved recipients and copies it to every target in use. Each copy is written under a temporary name (S3: put), read back, compared by SHA-256, and only then given its name and called verified. The job succeeds when every target has its copy; else it fails and its steps say which has none. The next time of the schedule stays.',
  answers: { 202: { description: 'The job that makes the archive and its copies.', schema: runSchema, located: true } },
  problems: ['state_conflict'],
  audit: ['archive.schedule.run'],
  async run({ tx, services, actor, audit }) {
    const { job_id, event } = await queueRun(tx, services, actor.name, null);
    audit(event);
    return { status: 202, body: { job_id }, headers: { location: `/api/v1/jobs/${job_id}` } };
  },
});
