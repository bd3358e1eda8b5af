// The hosts of the list as a CSV file.
import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { downloadOf } from '../forms/collection-list.ts';

export const operation = downloadOf(esxiHosts, { of: 'bootHost' });
