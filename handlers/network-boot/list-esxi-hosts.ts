// Lists the ESXi hosts.

import { listOperation } from '../../shared/platform/units/collection-operations.ts';
import { hosts } from '../../shared/services/network-boot/hosts.ts';

export const operation = listOperation(hosts, {
  id: 'listEsxiHosts',
  summary: 'List ESXi hosts',
  description: 'The hosts that may boot from the appliance, by name.',
});
