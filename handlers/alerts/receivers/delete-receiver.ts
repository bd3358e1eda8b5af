// Removes a receiver of alerts with its secret and what waits for it.
import { deleteOperation } from '../../../shared/platform/units/collection-operations.ts';
import { alertReceivers } from '../../../shared/vcf/alerts/receivers.ts';

export const operation = deleteOperation(alertReceivers, {
  id: 'deleteAlertReceiver',
  summary: 'Delete a receiver of alerts',
  description: 'Changes application state immediately. Its secret is lost, and so are messages that wait for it.',
  conflicts: [],
});
