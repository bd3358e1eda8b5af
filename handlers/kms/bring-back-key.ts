// Brings a destroyed key back.
import { instant } from '../../shared/ground/clock.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { bringBack, findKey, KEPT_DAYS } from '../../shared/services/kms/keys/administration.ts';
import { confirmedSchema, KMS_PATH, KMS_TAG, keyParam, keySchema } from '../../shared/services/kms/schemas.ts';
import { confirmOwner, PASSWORD_ASKED } from '../../shared/services/kms/trust/confirm.ts';

export const operation = defineOperation({
  id: 'bringBackKmsKey',
  method: 'POST',
  path: `${KMS_PATH}/keys/{key_id}/bring-back`,
  plane: 'api',
  access: { scope: 'write:kms' },
  effect: 'immediate',
  tag: KMS_TAG,
  summary: 'Bring a destroyed key back',
  description: `Changes application state immediately: the key is as it was before a client destroyed it, and its provider gets it again. The material of a destroyed key is kept for ${KEPT_DAYS} days; after that it is erased, and this is refused. ${PASSWORD_ASKED}`,
  params: keyParam,
  body: confirmedSchema,
  answers: { 200: { description: 'The key as it is now.', schema: keySchema } },
  problems: ['resource_not_found', 'state_conflict', 'too_many_attempts'],
  audit: ['kms.key.bring-back'],
  prepare: ({ services, actor, request, params, body }) =>
    confirmOwner(
      services,
      { actor, request, body },
      { action: 'kms.key.bring-back', resource_type: 'kms_key', resource_id: params.key_id },
    ),
  async run({ tx, params, audit, request }) {
    const now = instant(request.now);
    audit(await bringBack(tx, params.key_id, now));
    return { body: await findKey(tx, params.key_id, now) };
  },
});
