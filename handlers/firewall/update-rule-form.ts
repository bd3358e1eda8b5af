// The form that edits a rule of the firewall.
import { updateForm } from '../../shared/platform/units/collection-operations.ts';
import { ruleFields } from '../../shared/services/firewall/fields.ts';
import { firewallRules } from '../../shared/services/firewall/rules.ts';
import { operation as updateFirewallRule } from './update-rule.ts';

export const operation = updateForm(firewallRules, updateFirewallRule, {
  path: '/ui/management/firewall/rules/{rule_id}',
  decode: ruleFields,
  done: () => ({ location: '/ui/management/firewall' }),
});
