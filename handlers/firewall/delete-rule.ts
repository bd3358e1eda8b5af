// Deletes a rule of the firewall.
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { firewallRules } from '../../shared/services/firewall/rules.ts';

export const operation = deleteOperation(firewallRules, {
  id: 'deleteFirewallRule',
  summary: 'Delete a firewall rule',
  description: 'The positions of the others stay as they are.',
});
