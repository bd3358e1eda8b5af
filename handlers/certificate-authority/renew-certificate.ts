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
  summary: 'Reissue a certificate',
  description:
    'Changes application state immediately: issues another certificate for the same names and profile, which takes the place of this one. One of the appliance’s own gets a new key; nobody has to ask for it, since they are reissued automatically in the last third of their life, and a service that runs takes the new one when it next looks for it. One that was issued for a request is made out for the same key again; the old one stays valid until it ends or is revoked.',
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
    const { id, event } = await storeRenewal(tx, services, by, params.certificate_id, prepared as Renewal | null);
    audit(event);
    const location = `${AUTHORITY_PATH}/certificates/${id}`;
    return { status: 201, body: await findIssued(tx, id, request.now), headers: { location } };
  },
});
