// Creates a DHCP scope.
import { createOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';

export const operation = createOperation(dhcpScopes, {
  id: 'createDhcpScope',
  summary: 'Create a DHCP scope',
  description:
    'An enabled scope is served on an interface that exists, is enabled, in access mode and in use, and has a static address of the family whose network overlaps the subnet; a scope that is off may name any interface that exists, or none. Enabled scopes of a family do not overlap. Ranges are inside the subnet, do not overlap, and are kept in order; without any, only reservations are served. An empty gateway follows the appliance: clients get its address on the interface. Empty lists of DNS and NTP servers do so where the appliance\'s own enabled service listens on the interface. `none` gives clients no router, `["none"]` no servers. Answers say what was written, and what follows is resolved when the files are made. When an interface is edited, the subnet, the ranges and whatever equals one of its replaced addresses follow; any other gateway or server is the operator\'s and stays, and nothing that was empty is filled. Without a lease time the one of the DHCP settings is taken. Refused with `still_referenced` when enabled reservations would belong to no enabled scope, because the legacy binding gives way to the first scope.',
  problems: ['still_referenced'],
});
