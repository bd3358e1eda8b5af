// Creates a DHCP option.
import { createOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';

export const operation = createOperation(dhcpOptions, {
  id: 'createDhcpOption',
  summary: 'Create a DHCP option',
  description:
    'An option of one scope, or of every scope of a family when `scope_id` is null. A code is set once for each scope and family. Codes that a member of the scope gives, such as 6 by `dns_servers`, and those of the protocol itself are refused. The value is taken as it is written; clients get nothing else about it.',
});
