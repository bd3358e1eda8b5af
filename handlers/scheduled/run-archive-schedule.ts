// Queues the job that makes an archive and its copies when its time has come.
import { queueDue } from '../../shared/appliance/archive/schedule/queue.ts';
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';

export const scheduled = defineScheduled({
  id: 'runArchiveSchedule',
  every: 20,
  description: 'Queues an archive of the schedule when its time has come; of times that were missed, one is made up.',
  async run(services) {
    const job_id = await queueDue(services);
    if (job_id === null) return;
    services.logger.info('an archive of the schedule is due', { job_id });
    services.notify('jobs');
  },
});
