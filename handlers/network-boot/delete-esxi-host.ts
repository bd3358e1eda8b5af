// Deletes an ESXi host.

import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';

export const operation = deleteOperation(esxiHosts, {
  id: 'deleteEsxiHost',
  summary: 'Delete an ESXi host',
  description: 'The DHCP reservation that was kept for the host goes with it.',
});
