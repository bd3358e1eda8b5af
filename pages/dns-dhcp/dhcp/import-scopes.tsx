// Reading DHCP scopes from CSV.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';
import { importPage } from '../../units/import-page.tsx';

export const page = importPage(dhcpScopes, [{ href: pagePath('dhcp'), label: 'DHCP' }]);
