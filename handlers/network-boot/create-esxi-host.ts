// Creates an ESXi host.

import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { createOperation } from '../../shared/platform/units/collection-operations.ts';

export const operation = createOperation(esxiHosts, {
  id: 'createEsxiHost',
  summary: 'Create an ESXi host',
  description:
    'A host is known by the hardware address of the card that it boots from. With an IP address, which must be in exactly one enabled DHCP scope, the appliance keeps a DHCP reservation for it, which no one else can edit; faults of the reservation are reported at the members of the host. Kickstart and installer medium may follow later; what the Kickstart asks for has to come with it. Giving the host a Kickstart that takes values of vaults needs `read:vaults`.',
});
