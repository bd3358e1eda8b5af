// The form that creates an ESXi host.

import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { createForm } from '../../shared/platform/units/collection-operations.ts';
import { decodeHost } from '../../shared/services/network-boot/host-form.ts';
import { operation as createEsxiHost } from './create-esxi-host.ts';

export const operation = createForm(esxiHosts, createEsxiHost, {
  path: '/ui/management/network-boot/hosts/new',
  decode: decodeHost,
  secret: ['variables'],
  done: () => ({ location: '/ui/management/network-boot' }),
});
