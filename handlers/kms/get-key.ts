// One key, without its material.
import { instant } from '../../shared/ground/clock.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findKey } from '../../shared/services/kms/keys/administration.ts';
import { KMS_PATH, KMS_TAG, keyParam, keySchema } from '../../shared/services/kms/schemas.ts';

export const operation = defineOperation({
  id: 'getKmsKey',
  method: 'GET',
  path: `${KMS_PATH}/keys/{key_id}`,
  access: { scope: 'read:kms' },
  tag: KMS_TAG,
  summary: 'Get a key',
  description:
    'One key with state and attributes, and when it was last given to which address. Its material is in no answer.',
  params: keyParam,
  answers: { 200: { description: 'The key as it is now.', schema: keySchema } },
  problems: ['resource_not_found'],
  async run({ db, params, request }) {
    return { body: await findKey(db, params.key_id, instant(request.now)) };
  },
});
