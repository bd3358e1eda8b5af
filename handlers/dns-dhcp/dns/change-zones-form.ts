// The buttons below the list of zones, for those that were chosen.
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { chosenForm } from '../../forms/collection-list.ts';

export const operation = chosenForm(dnsZones);
