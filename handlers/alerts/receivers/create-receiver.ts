// Adds a receiver of alerts; its secret is sealed and never read back.
import { createOperation } from '../../../shared/platform/units/collection-operations.ts';
import { alertReceivers } from '../../../shared/vcf/alerts/receivers.ts';

export const operation = createOperation(alertReceivers, {
  id: 'createAlertReceiver',
  summary: 'Create a receiver of alerts',
  description:
    'Changes application state immediately. Nothing is sent before its certificate is confirmed; a webhook needs a signing secret as well, which the appliance makes. Connections follow the settings of remote machines. There are at most 20 receivers.',
  problems: ['vault_keys_unusable'],
});
