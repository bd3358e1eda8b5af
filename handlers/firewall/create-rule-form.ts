// The form that creates a rule of the firewall.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ruleFields } from '../../shared/services/firewall/fields.ts';
import { firewallRules } from '../../shared/services/firewall/rules.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createFirewallRule } from './create-rule.ts';

export const operation = createForm(firewallRules, createFirewallRule, {
  path: `${pagePath('firewall-rules')}/new`,
  decode: ruleFields,
  done: () => ({ location: pagePath('firewall') }),
});
