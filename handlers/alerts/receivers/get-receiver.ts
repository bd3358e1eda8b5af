// One receiver of alerts.
import { getOperation } from '../../../shared/platform/units/collection-operations.ts';
import { alertReceivers } from '../../../shared/vcf/alerts/receivers.ts';

export const operation = getOperation(alertReceivers, {
  id: 'getAlertReceiver',
  summary: 'Get a receiver of alerts',
  description: 'Where it is, and whether it took the last message; its secret is never part of the answer.',
});
