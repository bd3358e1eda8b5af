// The form that edits an ESXi host.
import { updateForm } from '../../shared/units/collection-operations.ts';
import { esxiHosts } from '../../shared/units/network-boot/hosts.ts';
import { operation as updateEsxiHost } from './update-esxi-host.ts';

export const operation = updateForm(esxiHosts, updateEsxiHost, {
  path: '/ui/management/network-boot/hosts/{host_id}',
  decode: (fields) => ({
    hostname: fields.text('hostname'),
    mac_address: fields.text('mac_address'),
    ip_address: fields.text('ip_address'),
    enabled: fields.checked('enabled'),
    description: fields.text('description'),
  }),
  done: () => ({ location: '/ui/management/network-boot' }),
});
