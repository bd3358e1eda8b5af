// The zones of the list as a CSV file.
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { downloadOf } from '../../forms/collection-list.ts';

export const operation = downloadOf(dnsZones, { of: 'zone' });
