// Lists the keys, without their material.
import * as v from 'valibot';
import { instant } from '../../shared/ground/clock.ts';
import { PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { listKeys } from '../../shared/services/kms/keys/administration.ts';
import { KMS_PATH, KMS_TAG, keyListSchema } from '../../shared/services/kms/schemas.ts';

export const operation = defineOperation({
  id: 'listKmsKeys',
  method: 'GET',
  path: `${KMS_PATH}/keys`,
  access: { scope: 'read:kms' },
  tag: KMS_TAG,
  summary: 'List keys',
  description: 'All keys with state and attributes, destroyed ones too; newest first. Their material is in no answer.',
  query: v.strictObject({
    ...PAGE_QUERY,
    provider_id: v.optional(v.pipe(v.string(), v.maxLength(64), v.description('Only those of this provider.'))),
  }),
  answers: { 200: { description: 'A page of the keys; `next_cursor` leads to the next.', schema: keyListSchema } },
  problems: ['invalid_cursor'],
  async run({ db, query, request }) {
    const { provider_id, cursor, limit } = query;
    return { body: await listKeys(db, { provider_id, cursor, limit: pageLimit(limit) }, instant(request.now)) };
  },
});
