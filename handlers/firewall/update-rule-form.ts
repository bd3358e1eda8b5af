// The form that edits a rule of the firewall.
import { updateForm } from '../../shared/units/collection-operations.ts';
import { ruleFields } from '../../shared/units/firewall/fields.ts';
import { firewallRules } from '../../shared/units/firewall/rules.ts';
import { operation as updateFirewallRule } from './update-rule.ts';

export const operation = updateForm(firewallRules, updateFirewallRule, {
  path: '/ui/management/firewall/rules/{rule_id}',
  decode: ruleFields,
  done: () => ({ location: '/ui/management/firewall' }),
});
