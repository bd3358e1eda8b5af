// The form that edits an ESXi host.

import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { decodeHost } from '../../shared/services/network-boot/host-form.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateEsxiHost } from './update-esxi-host.ts';

export const operation = updateForm(esxiHosts, updateEsxiHost, {
  path: pageRoute('boot-host'),
  decode: decodeHost,
  secret: ['variables'],
  done: () => ({ location: pagePath('network-boot') }),
});
