// Lists the managed zones.
import { listOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';

export const operation = listOperation(dnsZones, {
  id: 'listDnsZones',
  summary: 'List zones',
  description: 'The managed zones by name.',
});
