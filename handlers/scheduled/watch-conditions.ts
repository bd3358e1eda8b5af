// Looks at the conditions of the page Health, and opens and closes alerts.
import { watchConditions } from '../../shared/appliance/health/watch.ts';
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';

export const scheduled = defineScheduled({
  id: 'watchConditions',
  every: 15,
  description:
    'Looks at the conditions of the page Health: opens an alert of one that has lasted long enough, closes one whose condition is gone, and queues what receivers are told of it.',
  run: watchConditions,
});
