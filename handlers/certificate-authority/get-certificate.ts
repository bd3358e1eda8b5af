// One certificate that the authority issued.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findIssued } from '../../shared/platform/certificate-authority/certificate-store.ts';
import {
  AUTHORITY_PATH,
  AUTHORITY_TAG,
  certificateParam,
  issuedSchema,
} from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'getIssuedCertificate',
  method: 'GET',
  path: `${AUTHORITY_PATH}/certificates/{certificate_id}`,
  access: { scope: 'read:ca' },
  tag: AUTHORITY_TAG,
  summary: 'Get an issued certificate',
  description: 'One certificate with its PEM.',
  params: certificateParam,
  answers: { 200: { description: 'The certificate as it is now.', schema: issuedSchema } },
  problems: ['resource_not_found'],
  async run({ db, params, request }) {
    return { body: await findIssued(db, params.certificate_id, request.now) };
  },
});
