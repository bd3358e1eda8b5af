// Issues a certificate anew before it is due.

import { instant } from '../../shared/ground/clock.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findIssued } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { prepareRenewal, type Renewal, storeRenewal } from '../../shared/platform/certificate-authority/issue.ts';
import {
  AUTHORITY_PATH,
  AUTHORITY_TAG,
  certificateParam,
  issuedSchema,
} from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'renewIssuedCertificate',
  method: 'POST',
  path: `${AUTHORITY_PATH}/certificates/{certificate_id}/renew`,
  access: { scope: 'write:ca' },
  effect: 'immediate',
  tag: AUTHORITY_TAG,
  summary: 'Issue a certificate anew',
  description:
    'Changes application state immediately: issues another certificate with a new key for the same purpose and names, whose place it takes. Nobody has to: certificates are issued anew by themselves in the last third of their life. A service that runs takes the new one when it next looks for it.',
  params: certificateParam,
  answers: {
    201: {
      description: 'The new certificate, which took the place of the other.',
      schema: issuedSchema,
      located: true,
    },
  },
  problems: ['resource_not_found', 'state_conflict', 'certificate_authority_missing', 'vault_keys_unusable'],
  audit: ['certificate.issue'],
  prepare: ({ services, params }) => prepareRenewal(services, params.certificate_id),
  async run({ tx, services, actor, request, params, audit, prepared }) {
    const by = { actor, at: instant(request.now) };
    const { id, event } = await storeRenewal(tx, services, by, params.certificate_id, prepared as Renewal);
    audit(event);
    const location = `${AUTHORITY_PATH}/certificates/${id}`;
    return { status: 201, body: await findIssued(tx, id), headers: { location } };
  },
});
