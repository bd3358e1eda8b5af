// Deletes an ESXi host.
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { esxiHosts } from '../../shared/services/network-boot/hosts.ts';

export const operation = deleteOperation(esxiHosts, {
  id: 'deleteEsxiHost',
  summary: 'Delete an ESXi host',
  description: 'The DHCP reservation that was kept for the host goes with it.',
});
