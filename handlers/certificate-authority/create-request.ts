// Asks for a certificate; somebody decides later.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import type { RequestWithKey } from '../../shared/platform/certificate-authority/csr.ts';
import { requestCreateSchema, requestSchema } from '../../shared/platform/certificate-authority/request-schemas.ts';
import { askedEvent, createRequest } from '../../shared/platform/certificate-authority/request-store.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'createCertificateRequest',
  method: 'POST',
  path: `${AUTHORITY_PATH}/requests`,
  plane: 'api',
  access: { scope: 'write:ca-requests' },
  effect: 'immediate',
  tag: AUTHORITY_TAG,
  summary: 'Ask for a certificate',
  description:
    'Changes application state immediately: keeps the signing request until somebody who may write the authority approves or refuses it. Names that the profile does not allow are refused at once. `GET` it for what was decided; the certificate is then at `certificate_id`.',
  body: requestCreateSchema,
  answers: { 201: { description: 'The request, which waits.', schema: requestSchema, located: true } },
  problems: ['state_conflict'],
  audit: ['certificate.request.create'],
  async prepare({ body }) {
    const { parseRequest } = await import('../../shared/platform/certificate-authority/csr.ts');
    return parseRequest(body.csr);
  },
  async run({ tx, services, actor, body: { csr: _csr, ...wanted }, audit, prepared }) {
    const parsed = prepared as RequestWithKey;
    const created = await createRequest(tx, services, actor.name, parsed, wanted);
    audit(askedEvent(created, parsed));
    return {
      status: 201,
      body: { ...created, csr: parsed.pem },
      headers: { location: `${AUTHORITY_PATH}/requests/${created.id}` },
    };
  },
});
