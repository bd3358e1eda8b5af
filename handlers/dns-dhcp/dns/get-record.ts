// One DNS record.
import { getOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dnsRecords } from '../../../shared/services/dns-dhcp/dns/records.ts';

export const operation = getOperation(dnsRecords, {
  id: 'getDnsRecord',
  summary: 'Get a record',
  description: 'One record, with the entity tag that If-Match takes.',
});
