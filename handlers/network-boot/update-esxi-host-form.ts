// The form that edits an ESXi host.

import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { updateForm } from '../../shared/platform/units/collection-operations.ts';
import { decodeHost } from '../../shared/services/network-boot/host-form.ts';
import { operation as updateEsxiHost } from './update-esxi-host.ts';

export const operation = updateForm(esxiHosts, updateEsxiHost, {
  path: '/ui/management/network-boot/hosts/{host_id}',
  decode: decodeHost,
  secret: ['variables'],
  done: () => ({ location: '/ui/management/network-boot' }),
});
