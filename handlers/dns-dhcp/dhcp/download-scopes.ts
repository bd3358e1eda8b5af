// The scopes of the list as a CSV file.
import { dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';
import { downloadOf } from '../../forms/collection-list.ts';

export const operation = downloadOf(dhcpScopes, { of: 'scope' });
