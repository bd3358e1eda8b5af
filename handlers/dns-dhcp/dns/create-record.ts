// Creates one DNS record.
import { createOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dnsRecords } from '../../../shared/services/dns-dhcp/dns/records.ts';

export const operation = createOperation(dnsRecords, {
  id: 'createDnsRecord',
  summary: 'Create a record',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. The name must be in a managed zone; a reverse record may instead point into one. Wildcard names are refused. There is one time to live for all records, `ttl_seconds` of the settings. Every address gets a reverse record by itself, of the alphabetically first of its names; an explicit PTR record takes its place. The target of a CNAME must be in a managed zone, because aliases to other names are never followed, and must not lead in a circle; a CNAME allows no other record beside it. The value of a TXT record is the text itself, without quotes; above 255 characters it is served in several strings, which readers join. Unique on name, type and value.',
});
