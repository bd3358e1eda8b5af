// Approves a certificate request: issues the certificate.
import { instant } from '../../shared/ground/clock.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findIssued } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { signInto, wantedOf } from '../../shared/platform/certificate-authority/issue-request.ts';
import { approveSchema, requestParam } from '../../shared/platform/certificate-authority/request-schemas.ts';
import { decide, findRequest, refuseDecided } from '../../shared/platform/certificate-authority/request-store.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG, issuedSchema } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'approveCertificateRequest',
  method: 'POST',
  path: `${AUTHORITY_PATH}/requests/{request_id}/approve`,
  plane: 'api',
  access: { scope: 'write:ca' },
  effect: 'immediate',
  tag: AUTHORITY_TAG,
  summary: 'Approve a certificate request',
  description:
    'Changes application state immediately: issues the certificate for the names of the request, or for those given instead, as the profile allows them now. Refused for one that was decided already.',
  params: requestParam,
  body: approveSchema,
  answers: { 201: { description: 'The certificate that was issued.', schema: issuedSchema, located: true } },
  problems: ['resource_not_found', 'state_conflict', 'certificate_authority_missing', 'vault_keys_unusable'],
  audit: ['certificate.request.approve', 'certificate.issue'],
  async run({ tx, services, actor, params: { request_id }, body, audit, request }) {
    const asked = await findRequest(tx, request_id);
    refuseDecided(asked);
    const { parseRequest } = await import('../../shared/platform/certificate-authority/csr.ts');
    const parsed = await parseRequest(asked.csr);
    const { profile, names } = asked;
    const { id, event } = await signInto(tx, services, actor.name, wantedOf(parsed, { names, ...body, profile }));
    await decide(tx, request_id, { state: 'approved', by: actor.name, at: instant(request.now), certificate_id: id });
    const detail = { certificate_id: id };
    audit({
      action: 'certificate.request.approve',
      resource_type: 'certificate_request',
      resource_id: request_id,
      detail,
    });
    audit(event);
    const location = `${AUTHORITY_PATH}/certificates/${id}`;
    return { status: 201, body: await findIssued(tx, id, request.now), headers: { location } };
  },
});
