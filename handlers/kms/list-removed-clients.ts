// Lists the clients that are remembered as removed.
import * as v from 'valibot';
import { PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { KMS_PATH, KMS_TAG, removedClientListSchema } from '../../shared/services/kms/schemas.ts';
import { listRemoved } from '../../shared/services/kms/trust/tombstones.ts';

export const operation = defineOperation({
  id: 'listKmsRemovedClients',
  method: 'GET',
  path: `${KMS_PATH}/removed-clients`,
  access: { scope: 'read:kms' },
  tag: KMS_TAG,
  summary: 'List clients that were removed',
  description:
    'Certificates that had access to keys and no longer do, newest first: removed by a person, revoked or on hold at the appliance’s authority, or deleted with their provider. They travel in encrypted archives, a restore joins those of both sides, and a factory reset leaves them. A certificate that is added again afterwards is trusted, and so is one whose hold is lifted.',
  query: v.strictObject({
    ...PAGE_QUERY,
    provider_id: v.optional(v.pipe(v.string(), v.maxLength(64), v.description('Only those of this provider.'))),
  }),
  answers: {
    200: { description: 'A page of them; `next_cursor` leads to the next.', schema: removedClientListSchema },
  },
  problems: ['invalid_cursor'],
  async run({ db, query: { provider_id, cursor, limit } }) {
    return { body: await listRemoved(db, { provider_id, cursor, limit: pageLimit(limit) }) };
  },
});
