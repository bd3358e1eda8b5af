// Says what is in a certificate signing request, before anything is signed.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { parsedSchema, previewSchema } from '../../shared/platform/certificate-authority/request-schemas.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'previewCertificateRequest',
  method: 'POST',
  path: `${AUTHORITY_PATH}/requests/preview`,
  plane: 'api',
  access: { scope: 'read:ca' },
  effect: 'answers-only',
  tag: AUTHORITY_TAG,
  summary: 'Read a certificate signing request',
  description:
    'Answers what is in the request, and changes nothing: subject, names, key, and what would not be taken. Its signature is verified.',
  body: previewSchema,
  answers: { 200: { description: 'What the request says.', schema: parsedSchema } },
  audit: 'none',
  async run({ body }) {
    const { parseRequest } = await import('../../shared/platform/certificate-authority/csr.ts');
    const { spki: _spki, pem, ...parsed } = await parseRequest(body.csr);
    return { body: { ...parsed, csr: pem } };
  },
});
