// The form that edits a rule of the firewall.
import { ruleFields } from '../../shared/services/firewall/fields.ts';
import { firewallRules } from '../../shared/services/firewall/rules.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateFirewallRule } from './update-rule.ts';

export const operation = updateForm(firewallRules, updateFirewallRule, {
  decode: ruleFields,
});
