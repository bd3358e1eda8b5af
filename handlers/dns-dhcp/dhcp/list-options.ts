// Lists DHCP options.
import { listOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';

export const operation = listOperation(dhcpOptions, {
  id: 'listDhcpOptions',
  summary: 'List DHCP options',
  description: 'DHCP options by family and code, those of single scopes and those of every scope.',
});
