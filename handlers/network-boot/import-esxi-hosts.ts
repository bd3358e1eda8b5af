// Reads ESXi hosts from CSV.
import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { importOperation } from '../../shared/platform/units/import-operation.ts';

export const operation = importOperation(esxiHosts);
