// One certificate request.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { requestParam, requestSchema } from '../../shared/platform/certificate-authority/request-schemas.ts';
import { findRequest } from '../../shared/platform/certificate-authority/request-store.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'getCertificateRequest',
  method: 'GET',
  path: `${AUTHORITY_PATH}/requests/{request_id}`,
  plane: 'api',
  access: { scope: 'read:ca-requests' },
  effect: 'read',
  tag: AUTHORITY_TAG,
  summary: 'Get a certificate request',
  description: 'What was asked for, and what was decided.',
  params: requestParam,
  answers: { 200: { description: 'The request as it is now.', schema: requestSchema } },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    return { body: await findRequest(db, params.request_id) };
  },
});
