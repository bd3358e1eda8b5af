// One client of the KMIP server.
import { instant } from '../../shared/ground/clock.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { clientParam, clientSchema, KMS_PATH, KMS_TAG } from '../../shared/services/kms/schemas.ts';
import { findClient } from '../../shared/services/kms/trust/clients.ts';

export const operation = defineOperation({
  id: 'getKmsClient',
  method: 'GET',
  path: `${KMS_PATH}/clients/{client_id}`,
  access: { scope: 'read:kms' },
  tag: KMS_TAG,
  summary: 'Get a client of the KMIP server',
  description: 'One client with its certificate.',
  params: clientParam,
  answers: { 200: { description: 'The client as it is now.', schema: clientSchema } },
  problems: ['resource_not_found'],
  async run({ db, params, request }) {
    return { body: await findClient(db, params.client_id, instant(request.now)) };
  },
});
