// Sends to receivers of alerts what is queued for them.
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';
import { beginDeliveries } from '../../shared/vcf/alerts/deliver.ts';

export const scheduled = defineScheduled({
  id: 'sendAlerts',
  every: 5,
  description:
    'Begins to send what is queued for receivers of alerts, each by itself, and waits for none: again after 30 seconds, then after twice as long each time, up to an hour, 16 times.',
  run: beginDeliveries,
});
