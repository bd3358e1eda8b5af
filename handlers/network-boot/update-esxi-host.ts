// Edits an ESXi host.

import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { updateOperation } from '../../shared/platform/units/collection-operations.ts';

export const operation = updateOperation(esxiHosts, {
  id: 'updateEsxiHost',
  summary: 'Update an ESXi host',
  description:
    'The reservation follows name, addresses and whether the host is enabled; an empty IP address removes it. Of the variables only the named ones change. Giving a host a Kickstart that takes values of vaults needs `read:vaults`; so does, for a host that has one, changing the MAC address, medium or a variable, and enabling the host.',
});
