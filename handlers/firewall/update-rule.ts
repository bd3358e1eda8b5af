// Edits a rule of the firewall.
import { updateOperation } from '../../shared/platform/units/collection-operations.ts';
import { firewallRules } from '../../shared/services/firewall/rules.ts';

export const operation = updateOperation(firewallRules, {
  id: 'updateFirewallRule',
  summary: 'Update a firewall rule',
  description:
    'By the rules of a new one. A rule whose interface has vanished stays as it is, and fits no packet until the interface is back.',
});
