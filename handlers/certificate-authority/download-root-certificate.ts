// The root certificate as a PEM file, for programs.
import { rootFile } from '../../shared/certificates/authority.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG } from '../../shared/certificates/schemas.ts';
import { defineOperation } from '../../shared/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'downloadRootCertificate',
  method: 'GET',
  path: `${AUTHORITY_PATH}/root/certificate`,
  plane: 'api',
  access: { scope: 'read:ca' },
  effect: 'read',
  tag: AUTHORITY_TAG,
  summary: 'Download the root certificate',
  description: 'The certificate alone as PEM, as `application/x-pem-file`. Not found while none was made.',
  answers: { 200: { description: 'The root certificate as a PEM file.', media: 'application/x-pem-file' } },
  problems: ['resource_not_found'],
  run: ({ db }) => rootFile(db),
});
