// Reads DHCP options from CSV.
import { importOperation } from '../../../shared/platform/units/import-operation.ts';
import { dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';

export const operation = importOperation(dhcpOptions);
