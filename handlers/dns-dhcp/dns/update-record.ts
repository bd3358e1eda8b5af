// Changes a DNS record.
import { updateOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dnsRecords } from '../../../shared/services/dns-dhcp/dns/records.ts';

export const operation = updateOperation(dnsRecords, {
  id: 'updateDnsRecord',
  summary: 'Update a record',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. Omitted properties keep their value; values equal to the saved ones change nothing and keep the revision. The rules are those of a new record: the name must be in a managed zone and takes the record there, wildcard names are refused, the target of a CNAME must be in a managed zone, and the value of a TXT record is the text itself. The type cannot change. Of a record with an owner only the description and `enabled` can; its name and value follow the part that keeps it.',
  conflicts: ['already_exists', 'state_conflict'],
});
