// The button that deletes an ESXi host, on the page that asks for confirmation.

import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { deleteForm } from '../forms/collection-form.ts';
import { operation as deleteEsxiHost } from './delete-esxi-host.ts';

export const operation = deleteForm(esxiHosts, deleteEsxiHost);
