// Lists the managed zones.
import * as v from 'valibot';
import { PAGE_QUERY, pageLimit } from '../../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { listZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { zoneListSchema } from '../../../shared/services/dns-dhcp/schemas.ts';

export const operation = defineOperation({
  id: 'listDnsZones',
  method: 'GET',
  path: '/api/v1/dns/zones',
  plane: 'api',
  access: { scope: 'read:dns' },
  effect: 'read',
  tag: 'DNS',
  summary: 'List zones',
  description: 'The managed zones by name.',
  query: v.strictObject({
    name: v.optional(v.pipe(v.string(), v.maxLength(255), v.description('Only the zone of exactly this name.'))),
    ...PAGE_QUERY,
  }),
  answers: { 200: { description: 'A page of the zones; `next_cursor` leads to the next.', schema: zoneListSchema } },
  problems: ['invalid_cursor'],
  async run({ db, query }) {
    return { body: await listZones(db, { ...query, limit: pageLimit(query.limit) }) };
  },
});
