// Changes a receiver of alerts.
import { updateOperation } from '../../../shared/platform/units/collection-operations.ts';
import { alertReceivers } from '../../../shared/vcf/alerts/receivers.ts';

export const operation = updateOperation(alertReceivers, {
  id: 'updateAlertReceiver',
  summary: 'Update a receiver of alerts',
  description:
    'Changes application state immediately. Omitted properties keep their value, the password among them. Where the receiver becomes another server, its secret has to be sent or made again and its certificate to be confirmed again. What waits is tried at once; of a receiver that is switched off it is given up.',
  conflicts: ['already_exists'],
  problems: ['vault_keys_unusable'],
});
