// Lists the receivers of alerts.
import { listOperation } from '../../../shared/platform/units/collection-operations.ts';
import { alertReceivers } from '../../../shared/vcf/alerts/receivers.ts';

export const operation = listOperation(alertReceivers, {
  id: 'listAlertReceivers',
  summary: 'List receivers of alerts',
  description:
    'The receivers of alerts, by name, and whether each accepted the last message. No secret is part of the answer.',
});
