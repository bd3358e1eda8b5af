// Lists the ESXi hosts.
import { listOperation } from '../../shared/units/collection-operations.ts';
import { esxiHosts } from '../../shared/units/network-boot/hosts.ts';

export const operation = listOperation(esxiHosts, {
  id: 'listEsxiHosts',
  summary: 'List ESXi hosts',
  description: 'The hosts that may boot from the appliance, by name.',
});
