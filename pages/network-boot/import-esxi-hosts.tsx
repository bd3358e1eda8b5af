// Reading ESXi hosts from CSV.

import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { importPage } from '../units/import-page.tsx';

export const page = importPage(esxiHosts, [{ href: pagePath('network-boot'), label: 'Network boot' }]);
