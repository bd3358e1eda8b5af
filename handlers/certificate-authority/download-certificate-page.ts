// A certificate as a file, for a browser.
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { issuedFile } from '../../shared/platform/certificate-authority/issued-file.ts';
import { certificateParam } from '../../shared/platform/certificate-authority/schemas.ts';
import { formatQuery } from './download-certificate.ts';

export const operation = defineOperation({
  id: 'downloadCertificatePage',
  method: 'GET',
  path: `${pageRoute('certificate')}/file`,
  plane: 'management',
  access: { session: 'read:ca' },
  effect: 'read',
  tag: 'Pages',
  summary: 'Certificate as a file',
  description: 'The certificate as PEM, DER or PKCS #7.',
  params: certificateParam,
  query: formatQuery,
  answers: { 200: { description: 'The file.' } },
  problems: ['resource_not_found'],
  run: ({ db, params, query }) => issuedFile(db, params.certificate_id, query.format),
});
