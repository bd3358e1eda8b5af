// Edits an ESXi host.
import { updateOperation } from '../../shared/units/collection-operations.ts';
import { esxiHosts } from '../../shared/units/network-boot/hosts.ts';

export const operation = updateOperation(esxiHosts, {
  id: 'updateEsxiHost',
  summary: 'Update an ESXi host',
  description:
    'The reservation follows name, addresses and whether the host is enabled; an empty IP address removes it. Of the variables only the named ones change. Where the Kickstart takes values of vaults, these need `read:vaults`: that Kickstart, and another MAC address, medium or variable, and taking the host into use.',
});
