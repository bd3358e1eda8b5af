// Lists DNS records.
import { listOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dnsRecords } from '../../../shared/services/dns-dhcp/dns/records.ts';

export const operation = listOperation(dnsRecords, {
  id: 'listDnsRecords',
  summary: 'List records',
  description: 'Records of all zones, by name unless sorted otherwise. Filters hold together.',
});
