// The options of the list as a CSV file.
import { dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';
import { downloadOf } from '../../forms/collection-list.ts';

export const operation = downloadOf(dhcpOptions, { of: 'option' });
