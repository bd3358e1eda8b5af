// The form that creates an ESXi host.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { decodeHost } from '../../shared/services/network-boot/host-form.ts';
import { esxiHosts } from '../../shared/services/network-boot/hosts.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createEsxiHost } from './create-esxi-host.ts';

export const operation = createForm(esxiHosts, createEsxiHost, {
  path: `${pagePath('boot-hosts')}/new`,
  decode: decodeHost,
  secret: ['variables'],
  done: () => ({ location: pagePath('network-boot') }),
});
