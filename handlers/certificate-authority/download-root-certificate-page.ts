// The root certificate as a PEM file, for a browser.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { AUTHORITY_PAGE, rootFile } from '../../shared/platform/certificate-authority/authority.ts';

export const operation = defineOperation({
  id: 'downloadRootCertificatePage',
  method: 'GET',
  path: `${AUTHORITY_PAGE}/root.pem`,
  plane: 'management',
  access: { session: 'read:ca' },
  tag: 'Pages',
  summary: 'Root certificate as PEM',
  description: 'The root certificate as a file.',
  answers: { 200: { description: 'The file.' } },
  problems: ['resource_not_found'],
  run: ({ db }) => rootFile(db),
});
