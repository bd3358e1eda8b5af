// One rule of the firewall.
import { getOperation } from '../../shared/units/collection-operations.ts';
import { firewallRules } from '../../shared/units/firewall/rules.ts';

export const operation = getOperation(firewallRules, {
  id: 'getFirewallRule',
  summary: 'Get a firewall rule',
  description: 'The rule with the entity tag that If-Match takes.',
});
