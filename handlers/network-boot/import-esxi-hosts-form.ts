// The form that reads ESXi hosts from CSV.
import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { importForm } from '../forms/import-form.ts';
import { operation as importEsxiHosts } from './import-esxi-hosts.ts';

export const operation = importForm(esxiHosts, importEsxiHosts);
