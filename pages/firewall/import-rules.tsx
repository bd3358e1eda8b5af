// Reading firewall rules from CSV.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { firewallRules } from '../../shared/services/firewall/rules.ts';
import { importPage } from '../units/import-page.tsx';

export const page = importPage(firewallRules, [{ href: pagePath('firewall'), label: 'Firewall' }]);
