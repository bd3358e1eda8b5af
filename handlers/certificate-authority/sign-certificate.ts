// Issues a certificate for a signing request.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findIssued } from '../../shared/platform/certificate-authority/certificate-store.ts';
import type { RequestWithKey } from '../../shared/platform/certificate-authority/csr.ts';
import { signInto, wantedOf } from '../../shared/platform/certificate-authority/issue-request.ts';
import { signSchema } from '../../shared/platform/certificate-authority/request-schemas.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG, issuedSchema } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'signCertificate',
  method: 'POST',
  path: `${AUTHORITY_PATH}/certificates`,
  plane: 'api',
  access: { scope: 'write:ca' },
  effect: 'immediate',
  tag: AUTHORITY_TAG,
  summary: 'Issue a certificate for a signing request',
  description:
    'Changes application state immediately: signs the public key of the request for the names that it asks for, or for those given instead. The profile decides what it may be used for and which names are allowed; what the request asks for beside is never taken. The common name is that of the request where it is one of the names, else the first name. It is valid from a day ago, but no earlier than the root. Addresses of a revocation list are in no certificate, since the portal does not run yet.',
  body: signSchema,
  answers: { 201: { description: 'The certificate that was issued.', schema: issuedSchema, located: true } },
  problems: ['state_conflict', 'certificate_authority_missing', 'vault_keys_unusable'],
  audit: ['certificate.issue'],
  async prepare({ body }) {
    const { parseRequest } = await import('../../shared/platform/certificate-authority/csr.ts');
    return parseRequest(body.csr);
  },
  async run({ tx, services, actor, body: { csr: _csr, ...decided }, audit, prepared, request }) {
    const { id, event } = await signInto(tx, services, actor.name, wantedOf(prepared as RequestWithKey, decided));
    audit(event);
    const location = `${AUTHORITY_PATH}/certificates/${id}`;
    return { status: 201, body: await findIssued(tx, id, request.now), headers: { location } };
  },
});
