// One zone.
import { getOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';

export const operation = getOperation(dnsZones, {
  id: 'getDnsZone',
  summary: 'Get a zone',
  description: 'One zone, with the entity tag that If-Match takes. Its records are listed by `/dns/records?zone=`.',
});
