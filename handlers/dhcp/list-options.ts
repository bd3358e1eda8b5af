// Lists DHCP options.
import { listOperation } from '../../shared/units/collection-operations.ts';
import { dhcpOptions } from '../../shared/units/dns-dhcp/dhcp/options.ts';

export const operation = listOperation(dhcpOptions, {
  id: 'listDhcpOptions',
  summary: 'List DHCP options',
  description: 'DHCP options by family and code, those of single scopes and those of every scope.',
});
