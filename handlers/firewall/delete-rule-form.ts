// The button that deletes a rule of the firewall, on the page that asks for confirmation.
import { firewallRules } from '../../shared/services/firewall/rules.ts';
import { deleteForm } from '../forms/collection-form.ts';
import { operation as deleteFirewallRule } from './delete-rule.ts';

export const operation = deleteForm(firewallRules, deleteFirewallRule);
