// One DNS record.
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { findRecord } from '../../../shared/services/dns-dhcp/dns/record-store.ts';
import { recordSchema } from '../../../shared/services/dns-dhcp/schemas.ts';

export const operation = defineOperation({
  id: 'getDnsRecord',
  method: 'GET',
  path: '/api/v1/dns/records/{record_id}',
  plane: 'api',
  access: { scope: 'read:dns' },
  effect: 'read',
  tag: 'DNS',
  summary: 'Get a record',
  description: 'One record, with the entity tag that If-Match takes.',
  params: idParam('record_id', 'Id of the record.'),
  answers: {
    200: { description: 'The record, with the entity tag that If-Match takes.', schema: recordSchema, tagged: true },
  },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    const record = await findRecord(db, params.record_id);
    return { body: record, revision: record.revision };
  },
});
