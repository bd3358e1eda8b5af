// One ESXi host.

import { getOperation } from '../../shared/platform/units/collection-operations.ts';
import { hosts } from '../../shared/services/network-boot/hosts.ts';

export const operation = getOperation(hosts, {
  id: 'getEsxiHost',
  summary: 'Get an ESXi host',
  description: 'The host with the entity tag that If-Match takes.',
});
