// Looks for jobs that nobody runs: queued by another process (the command line), or left by one that died.
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';

export const scheduled = defineScheduled({
  id: 'pollJobs',
  every: 2,
  description: 'Wakes the job runner, which takes queued jobs and those whose owner died.',
  run: async (services) => services.notify('queue'),
});
