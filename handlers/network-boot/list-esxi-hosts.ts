// Lists the ESXi hosts.

import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { listOperation } from '../../shared/platform/units/collection-operations.ts';

export const operation = listOperation(esxiHosts, {
  id: 'listEsxiHosts',
  summary: 'List ESXi hosts',
  description: 'The hosts that may boot from the appliance, by name.',
});
