// Lists certificate requests.
import * as v from 'valibot';
import { PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { requestListSchema } from '../../shared/platform/certificate-authority/request-schemas.ts';
import { REQUEST_STATES } from '../../shared/platform/certificate-authority/request-states.ts';
import { listRequests } from '../../shared/platform/certificate-authority/request-store.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'listCertificateRequests',
  method: 'GET',
  path: `${AUTHORITY_PATH}/requests`,
  plane: 'api',
  access: { scope: 'read:ca-requests' },
  effect: 'read',
  tag: AUTHORITY_TAG,
  summary: 'List certificate requests',
  description: 'Those that wait and those that were decided; newest first.',
  query: v.strictObject({
    ...PAGE_QUERY,
    state: v.optional(v.pipe(v.picklist(REQUEST_STATES), v.description('Only those in this state.'))),
  }),
  answers: {
    200: { description: 'A page of the requests; `next_cursor` leads to the next.', schema: requestListSchema },
  },
  problems: ['invalid_cursor'],
  async run({ db, query }) {
    return { body: await listRequests(db, { ...query, limit: pageLimit(query.limit) }) };
  },
});
