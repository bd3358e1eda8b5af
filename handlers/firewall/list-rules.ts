// Lists the operator's rules of the firewall.
import { listOperation } from '../../shared/platform/units/collection-operations.ts';
import { firewallRules } from '../../shared/services/firewall/rules.ts';

export const operation = listOperation(firewallRules, {
  id: 'listFirewallRules',
  summary: 'List firewall rules',
  description:
    'The operator’s rules in the order in which they are asked. What services need is opened without a rule; getFirewallStatus shows it.',
});
