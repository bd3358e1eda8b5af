// The form that creates an ESXi host.
import { createForm } from '../../shared/platform/units/collection-operations.ts';
import { decodeHost } from '../../shared/services/network-boot/host-form.ts';
import { esxiHosts } from '../../shared/services/network-boot/hosts.ts';
import { operation as createEsxiHost } from './create-esxi-host.ts';

export const operation = createForm(esxiHosts, createEsxiHost, {
  path: '/ui/management/network-boot/hosts/new',
  decode: decodeHost,
  secret: ['variables'],
  done: () => ({ location: '/ui/management/network-boot' }),
});
