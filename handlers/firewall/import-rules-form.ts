// The form that reads firewall rules from CSV.
import { firewallRules } from '../../shared/services/firewall/rules.ts';
import { importForm } from '../forms/import-form.ts';
import { operation as importFirewallRules } from './import-rules.ts';

export const operation = importForm(firewallRules, importFirewallRules);
