// The form that creates an ESXi host.
import { createForm } from '../../shared/units/collection-operations.ts';
import { decodeHost } from '../../shared/units/network-boot/host-form.ts';
import { esxiHosts } from '../../shared/units/network-boot/hosts.ts';
import { operation as createEsxiHost } from './create-esxi-host.ts';

export const operation = createForm(esxiHosts, createEsxiHost, {
  path: '/ui/management/network-boot/hosts/new',
  decode: decodeHost,
  secret: ['variables'],
  done: () => ({ location: '/ui/management/network-boot' }),
});
