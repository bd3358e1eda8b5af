// Asks the daemons for their numbers, for whoever scrapes metrics.
import { takeSamples } from '../../shared/appliance/metrics/sampled.ts';
import { SAMPLED_EVERY } from '../../shared/appliance/metrics/sampled-every.ts';
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';

export const scheduled = defineScheduled({
  id: 'sampleMetrics',
  every: SAMPLED_EVERY,
  description:
    'Asks the name service and the time service for their counters, and looks at leases and disks; keeps a few of the numbers for a day and for thirty days.',
  run: takeSamples,
});
