// Creates many DNS records at once.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { createRecords } from '../../../shared/services/dns-dhcp/dns/record-store.ts';
import { BULK_MAX, recordsCreatedSchema, recordsCreateSchema } from '../../../shared/services/dns-dhcp/schemas.ts';

/** Records named in the audit event; the others are counted. */
export const NAMED = 20;

export const operation = defineOperation({
  id: 'createDnsRecords',
  method: 'POST',
  path: '/api/v1/dns/records/bulk',
  access: { scope: 'write:dns' },
  effect: 'desired-state',
  tag: 'DNS',
  summary: 'Create many records',
  description: `Saves desired state only; the host follows at the next reviewed apply. Creates 1 to ${BULK_MAX} records, all of them or none, by the rules of a single one; each is also held against those before it. A refusal names every fault, with pointers such as \`/records/3/value\`: 422 when any record is wrong in itself, 409 when they only conflict with others (\`already_exists\` when all conflicts are the same records). All share one audit event.`,
  body: recordsCreateSchema,
  bodyLimit: 4 << 20,
  answers: { 201: { description: 'The records, in the order sent.', schema: recordsCreatedSchema } },
  problems: ['already_exists', 'state_conflict'],
  audit: ['dns.record.create_many'],
  async run({ services, tx, body, audit }) {
    const items = await createRecords(tx, services, body.records, ({ at, member }) => `/records/${at}/${member}`);
    const detail = {
      count: items.length,
      zones: [...new Set(items.map(({ zone }) => zone))].slice(0, NAMED),
      first: items.slice(0, NAMED).map(({ fqdn, type, value }) => `${fqdn} ${type} ${value.slice(0, 100)}`),
    };
    audit({ action: 'dns.record.create_many', resource_type: 'dns_record', resource_id: null, detail });
    return { status: 201, body: { items } };
  },
});
