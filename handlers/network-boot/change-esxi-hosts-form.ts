// The buttons below the list of hosts, for those that were chosen.
import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { chosenForm } from '../forms/collection-list.ts';

export const operation = chosenForm(esxiHosts);
