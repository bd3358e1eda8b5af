// The form that creates a rule of the firewall.
import { ruleFields } from '../../shared/services/firewall/fields.ts';
import { firewallRules } from '../../shared/services/firewall/rules.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createFirewallRule } from './create-rule.ts';

export const operation = createForm(firewallRules, createFirewallRule, {
  decode: ruleFields,
});
