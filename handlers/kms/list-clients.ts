// Lists the clients of the KMIP server.
import * as v from 'valibot';
import { instant } from '../../shared/ground/clock.ts';
import { PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { clientListSchema, KMS_PATH, KMS_TAG } from '../../shared/services/kms/schemas.ts';
import { listClients } from '../../shared/services/kms/trust/clients.ts';

export const operation = defineOperation({
  id: 'listKmsClients',
  method: 'GET',
  path: `${KMS_PATH}/clients`,
  access: { scope: 'read:kms' },
  tag: KMS_TAG,
  summary: 'List clients of the KMIP server',
  description: 'The trusted certificates, each for one provider; newest first.',
  query: v.strictObject({
    ...PAGE_QUERY,
    provider_id: v.optional(v.pipe(v.string(), v.maxLength(64), v.description('Only those of this provider.'))),
  }),
  answers: {
    200: { description: 'A page of the clients; `next_cursor` leads to the next.', schema: clientListSchema },
  },
  problems: ['invalid_cursor'],
  async run({ db, query, request }) {
    const { provider_id, cursor, limit } = query;
    return { body: await listClients(db, { provider_id, cursor, limit: pageLimit(limit) }, instant(request.now)) };
  },
});
