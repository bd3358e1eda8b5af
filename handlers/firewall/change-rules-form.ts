// The buttons below the list of rules, for those that were chosen.
import { firewallRules } from '../../shared/services/firewall/rules.ts';
import { chosenForm } from '../forms/collection-list.ts';

export const operation = chosenForm(firewallRules);
