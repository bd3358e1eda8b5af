// Reading DHCP options from CSV.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';
import { importPage } from '../../units/import-page.tsx';

export const page = importPage(dhcpOptions, [{ href: pagePath('dhcp'), label: 'DHCP' }]);
