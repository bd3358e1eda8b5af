// Deletes a DNS record.
import { deleteOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dnsRecords } from '../../../shared/services/dns-dhcp/dns/records.ts';

export const operation = deleteOperation(dnsRecords, {
  id: 'deleteDnsRecord',
  summary: 'Delete a record',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. A record that the appliance keeps for a service or a DHCP reservation is refused with 409: change those instead. A record of another owner can be deleted; the part that keeps it may create it again. Aliases of the name stay and are answered without an address.',
  conflicts: ['state_conflict'],
});
