// The form that edits a rule of the firewall.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { ruleFields } from '../../shared/services/firewall/fields.ts';
import { firewallRules } from '../../shared/services/firewall/rules.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateFirewallRule } from './update-rule.ts';

export const operation = updateForm(firewallRules, updateFirewallRule, {
  path: pageRoute('firewall-rule'),
  decode: ruleFields,
  done: () => ({ location: pagePath('firewall') }),
});
