// The form that creates an ESXi host.
import { createForm } from '../../shared/units/collection-operations.ts';
import { esxiHosts } from '../../shared/units/network-boot/hosts.ts';
import { operation as createEsxiHost } from './create-esxi-host.ts';

export const operation = createForm(esxiHosts, createEsxiHost, {
  path: '/ui/management/network-boot/hosts/new',
  decode: (fields) => ({
    hostname: fields.text('hostname'),
    mac_address: fields.text('mac_address'),
    ip_address: fields.text('ip_address'),
    enabled: fields.checked('enabled'),
    description: fields.text('description'),
  }),
  done: () => ({ location: '/ui/management/network-boot' }),
});
