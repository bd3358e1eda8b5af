// Creates a rule of the firewall.
import { createOperation } from '../../shared/platform/units/collection-operations.ts';
import { firewallRules } from '../../shared/services/firewall/rules.ts';

export const operation = createOperation(firewallRules, {
  id: 'createFirewallRule',
  summary: 'Create a firewall rule',
  description:
    'Rules of the operator are asked before those that open the ports of services, so that they can narrow as well as widen; the first that fits decides. They cannot end connections that exist, and cannot refuse what IPv6 needs or what the appliance says to itself. A forward rule decides only between interfaces with the role route; other interfaces never pass packets on. Ports need TCP or UDP; source and destination are of one family. At most 500 rules. Whether the rules would shut everybody, or the one who reviews, out of the management UI is judged when the change is reviewed.',
});
