// The root certificate as a PEM file, for programs.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { rootFile } from '../../shared/platform/certificate-authority/authority.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'downloadRootCertificate',
  method: 'GET',
  path: `${AUTHORITY_PATH}/root/certificate`,
  access: { scope: 'read:ca' },
  tag: AUTHORITY_TAG,
  summary: 'Download the root certificate',
  description: 'The certificate alone as PEM, as `application/x-pem-file`. Not found while none was made.',
  answers: { 200: { description: 'The root certificate as a PEM file.', media: 'application/x-pem-file' } },
  problems: ['resource_not_found'],
  run: ({ db }) => rootFile(db),
});
