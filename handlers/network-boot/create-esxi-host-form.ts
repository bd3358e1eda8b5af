// The form that creates an ESXi host.

import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { decodeHost } from '../../shared/services/network-boot/host-form.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createEsxiHost } from './create-esxi-host.ts';

export const operation = createForm(esxiHosts, createEsxiHost, {
  decode: decodeHost,
  secret: ['variables'],
});
