// Changes whether a zone is served, or its description.
import { updateOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';

export const operation = updateOperation(dnsZones, {
  id: 'updateDnsZone',
  summary: 'Update a zone',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. Omitted properties keep their value; values equal to the saved ones change nothing and keep the revision. The name cannot change. A zone that is not enabled keeps its records, but neither it nor they are served: its names are asked of the upstream servers.',
  conflicts: ['state_conflict'],
});
