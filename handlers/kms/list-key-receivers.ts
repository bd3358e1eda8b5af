// Lists who was given a key.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findReceivers, RECEIVERS_MOST } from '../../shared/services/kms/keys/receivers.ts';
import { KMS_PATH, KMS_TAG, keyParam, receiversSchema } from '../../shared/services/kms/schemas.ts';

export const operation = defineOperation({
  id: 'listKmsKeyReceivers',
  method: 'GET',
  path: `${KMS_PATH}/keys/{key_id}/receivers`,
  access: { scope: 'read:kms' },
  tag: KMS_TAG,
  summary: 'List who was given a key',
  description: `Each client certificate that the material of the key was given to: when first and last, from where, and how often. It is kept as long as the key, for the last ${RECEIVERS_MOST} certificates of each. The first time of a certificate is on the disk before the key leaves; later ones are recorded within a second. Where the disk has no room, the key is given all the same, the log says at once to whom, and the record follows.`,
  params: keyParam,
  answers: { 200: { description: 'Who got it, the last one first.', schema: receiversSchema } },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    return { body: { items: await findReceivers(db, params.key_id) } };
  },
});
