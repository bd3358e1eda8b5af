// The form that creates a rule of the firewall.
import { createForm } from '../../shared/units/collection-operations.ts';
import { ruleFields } from '../../shared/units/firewall/fields.ts';
import { firewallRules } from '../../shared/units/firewall/rules.ts';
import { operation as createFirewallRule } from './create-rule.ts';

export const operation = createForm(firewallRules, createFirewallRule, {
  path: '/ui/management/firewall/rules/new',
  decode: ruleFields,
  done: () => ({ location: '/ui/management/firewall' }),
});
