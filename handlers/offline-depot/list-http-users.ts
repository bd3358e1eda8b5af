// Lists the depot users.
import * as v from 'valibot';
import { PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { depotUserListSchema, listDepotUsers } from '../../shared/services/offline-depot/users.ts';

export const operation = defineOperation({
  id: 'listDepotUsers',
  method: 'GET',
  path: '/api/v1/private-cloud-services/http-users',
  access: { scope: 'read:depot' },
  tag: 'Offline depot',
  summary: 'List depot users',
  description:
    'All depot users by name. A depot user opens the offline depot and nothing else: never the management UI, never this API. Of all, the depot lets in the one that its applied settings name.',
  query: v.strictObject(PAGE_QUERY),
  answers: {
    200: { description: 'A page of the depot users; `next_cursor` leads to the next.', schema: depotUserListSchema },
  },
  problems: ['invalid_cursor'],
  async run({ db, query }) {
    return { body: await listDepotUsers(db, { ...query, limit: pageLimit(query.limit) }) };
  },
});
