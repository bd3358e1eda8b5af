// Lists the receivers of alerts.
import { listOperation } from '../../../shared/platform/units/collection-operations.ts';
import { alertReceivers } from '../../../shared/vcf/alerts/receivers.ts';

export const operation = listOperation(alertReceivers, {
  id: 'listAlertReceivers',
  summary: 'List receivers of alerts',
  description: 'Who is told of alerts, by name, and whether it took the last message. No secret is part of the answer.',
});
