// The form that creates an ESXi host.

import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { decodeHost } from '../../shared/services/network-boot/host-form.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createEsxiHost } from './create-esxi-host.ts';

export const operation = createForm(esxiHosts, createEsxiHost, {
  path: `${pagePath('boot-hosts')}/new`,
  decode: decodeHost,
  secret: ['variables'],
  done: () => ({ location: pagePath('network-boot') }),
});
