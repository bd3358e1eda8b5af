// One rule of the firewall.
import { getOperation } from '../../shared/platform/units/collection-operations.ts';
import { firewallRules } from '../../shared/services/firewall/rules.ts';

export const operation = getOperation(firewallRules, {
  id: 'getFirewallRule',
  summary: 'Get a firewall rule',
  description: 'The rule with the entity tag that If-Match takes.',
});
