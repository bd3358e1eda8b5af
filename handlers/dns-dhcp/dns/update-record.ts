// Changes a DNS record.
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { updateRecord } from '../../../shared/services/dns-dhcp/dns/record-store.ts';
import { recordSchema, recordUpdateSchema } from '../../../shared/services/dns-dhcp/schemas.ts';

export const operation = defineOperation({
  id: 'updateDnsRecord',
  method: 'PATCH',
  path: '/api/v1/dns/records/{record_id}',
  plane: 'api',
  access: { scope: 'write:dns' },
  effect: 'desired-state',
  tag: 'DNS',
  summary: 'Update a record',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. Omitted properties keep their value; values equal to the saved ones change nothing and keep the revision. The rules are those of a new record: the name must lie in a managed zone and takes the record there, wildcard names are refused, the target of a CNAME must lie in a managed zone, and the value of a TXT record is the text itself. The type cannot change. Of a record with an owner only the description and `enabled` can; its name and value follow the part that keeps it.',
  params: idParam('record_id', 'Id of the record.'),
  body: recordUpdateSchema,
  answers: { 200: { description: 'The record as saved now.', schema: recordSchema, tagged: true } },
  problems: ['resource_not_found', 'already_exists', 'state_conflict', 'revision_stale', 'malformed_precondition'],
  audit: ['dns.record.update'],
  async run({ services, tx, params, body, request, audit }) {
    const saved = await updateRecord(tx, services, params.record_id, body, request.if_match);
    const { record, before, changed } = saved;
    const { id, fqdn, type, value, enabled } = record;
    const was = { fqdn: before.fqdn, value: before.value };
    const detail = { fqdn, type, value, enabled, changed, ...(changed.length > 0 && { was }) };
    audit({ action: 'dns.record.update', resource_type: 'dns_record', resource_id: id, detail });
    return { body: record, revision: record.revision };
  },
});
