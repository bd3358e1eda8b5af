// Lists DNS records.
import * as v from 'valibot';
import { anyCase, PAGE_QUERY, pageLimit } from '../../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { RECORD_TYPES } from '../../../shared/services/dns-dhcp/dns/record-data.ts';
import { listRecords, RECORD_SORTS } from '../../../shared/services/dns-dhcp/dns/record-list.ts';
import { recordListSchema } from '../../../shared/services/dns-dhcp/schemas.ts';

const filter = (what: string, length = 255) =>
  v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(length), v.description(what)));

export const operation = defineOperation({
  id: 'listDnsRecords',
  method: 'GET',
  path: '/api/v1/dns/records',
  plane: 'api',
  access: { scope: 'read:dns' },
  effect: 'read',
  tag: 'DNS',
  summary: 'List records',
  description: 'Records of all zones, by name unless sorted otherwise. Filters hold together.',
  query: v.strictObject({
    fqdn: filter('Only records of exactly this name, in any case.'),
    zone: filter('Only records of the zone of this name.'),
    type: v.optional(anyCase(RECORD_TYPES, 'Only records of this type; case-insensitive.')),
    value: filter('Only records of exactly this value, in its canonical form.', 4096),
    search: filter('Only records with this text in the name or the value, in any case.'),
    sort: v.optional(
      v.pipe(
        v.picklist(RECORD_SORTS, `Expected one of ${RECORD_SORTS.join(', ')}.`),
        v.description('`-` before the key turns the order around. Values are compared as texts.'),
      ),
    ),
    ...PAGE_QUERY,
  }),
  answers: {
    200: { description: 'A page of the records; `next_cursor` leads to the next.', schema: recordListSchema },
  },
  problems: ['invalid_cursor'],
  async run({ db, query }) {
    return { body: await listRecords(db, { ...query, limit: pageLimit(query.limit) }) };
  },
});
