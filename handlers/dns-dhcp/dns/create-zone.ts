// Creates a zone; the appliance keeps the records of its services that lie in it from then on.
import { followServiceRecords } from '../../../shared/appliance/edits/service-records.ts';
import { createOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';

export const operation = createOperation(dnsZones, {
  id: 'createDnsZone',
  summary: 'Create a zone',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. The appliance is the only source of the names in an enabled zone: one without a record does not exist and is never asked of upstream servers. A zone inside of another one takes over the records that belong to it. Reverse zones, below `in-addr.arpa` and `ip6.arpa`, are optional: a reverse record follows every address without one.',
  follows: followServiceRecords,
});
