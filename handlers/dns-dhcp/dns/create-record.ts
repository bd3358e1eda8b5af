// Creates one DNS record.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { createRecords } from '../../../shared/services/dns-dhcp/dns/record-store.ts';
import { recordCreateSchema, recordSchema } from '../../../shared/services/dns-dhcp/schemas.ts';

export const operation = defineOperation({
  id: 'createDnsRecord',
  method: 'POST',
  path: '/api/v1/dns/records',
  plane: 'api',
  access: { scope: 'write:dns' },
  effect: 'desired-state',
  tag: 'DNS',
  summary: 'Create a record',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. The name must lie in a managed zone; a reverse record may instead point into one. Wildcard names are refused. There is one time to live for all records, `ttl_seconds` of the settings. Every address gets a reverse record by itself, of the alphabetically first of its names; an explicit PTR record takes its place. The target of a CNAME must lie in a managed zone, because aliases to other names are never followed, and must not lead in a circle; nothing stands beside a CNAME. The value of a TXT record is the text itself, without quotes; above 255 characters it is served in several strings, which readers join. Unique on name, type and value.',
  body: recordCreateSchema,
  answers: { 201: { description: 'The record that was created.', schema: recordSchema, tagged: true } },
  problems: ['already_exists', 'state_conflict'],
  audit: ['dns.record.create'],
  async run({ services, tx, body, audit }) {
    const [record] = await createRecords(tx, services, [body]);
    const { id, fqdn, type, value, enabled, revision } = record!;
    const detail = { fqdn, type, value, enabled };
    audit({ action: 'dns.record.create', resource_type: 'dns_record', resource_id: id, detail });
    return { status: 201, body: record, revision };
  },
});
