// Pushes to SCIM targets where people, groups, mapping or settings changed since the last push, or that was not all taken.
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';
import { queueDuePushes } from '../../shared/vcf/scim/queue.ts';

export const scheduled = defineScheduled({
  id: 'pushScim',
  every: 300,
  description:
    'Queues a push to each SCIM target in use for whose client people, groups, mapping or settings changed, or whose last push failed or was refused something: again after 5 minutes, then after twice as long each time, up to 6 hours.',
  async run(services) {
    const jobs = await queueDuePushes(services);
    if (jobs.length === 0) return;
    services.logger.info('users and groups are pushed by SCIM', { jobs });
    services.notify('jobs');
  },
});
