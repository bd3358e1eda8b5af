// One ESXi host.

import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { getOperation } from '../../shared/platform/units/collection-operations.ts';

export const operation = getOperation(esxiHosts, {
  id: 'getEsxiHost',
  summary: 'Get an ESXi host',
  description: 'The host with the entity tag that If-Match takes.',
});
