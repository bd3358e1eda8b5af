// The form that reads DHCP options from CSV.
import { dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';
import { importForm } from '../../forms/import-form.ts';
import { operation as importDhcpOptions } from './import-options.ts';

export const operation = importForm(dhcpOptions, importDhcpOptions);
