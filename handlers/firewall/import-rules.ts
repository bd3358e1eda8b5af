// Reads firewall rules from CSV.
import { importOperation } from '../../shared/platform/units/import-operation.ts';
import { firewallRules } from '../../shared/services/firewall/rules.ts';

export const operation = importOperation(firewallRules);
