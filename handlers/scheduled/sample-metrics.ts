// Asks the daemons for their numbers, for whoever scrapes metrics.
import { SAMPLED_EVERY, takeSamples } from '../../shared/appliance/metrics/sampled.ts';
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';

export const scheduled = defineScheduled({
  id: 'sampleMetrics',
  every: SAMPLED_EVERY,
  description: 'Asks the name service and the time service for their counters, and looks at leases and disks.',
  run: takeSamples,
});
