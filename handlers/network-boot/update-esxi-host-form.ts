// The form that edits an ESXi host.

import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { decodeHost } from '../../shared/services/network-boot/host-form.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateEsxiHost } from './update-esxi-host.ts';

export const operation = updateForm(esxiHosts, updateEsxiHost, {
  decode: decodeHost,
  secret: ['variables'],
});
