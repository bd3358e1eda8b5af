// The rules of the list as a CSV file.
import { firewallRules } from '../../shared/services/firewall/rules.ts';
import { downloadOf } from '../forms/collection-list.ts';

export const operation = downloadOf(firewallRules, { of: 'rule' });
