// Refuses a certificate request.
import { instant } from '../../shared/ground/clock.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import {
  refuseSchema,
  requestParam,
  requestSchema,
} from '../../shared/platform/certificate-authority/request-schemas.ts';
import { decide, findRequest } from '../../shared/platform/certificate-authority/request-store.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'refuseCertificateRequest',
  method: 'POST',
  path: `${AUTHORITY_PATH}/requests/{request_id}/refuse`,
  plane: 'api',
  access: { scope: 'write:ca' },
  effect: 'immediate',
  tag: AUTHORITY_TAG,
  summary: 'Refuse a certificate request',
  description:
    'Changes application state immediately: nothing is issued, and the requester sees the reason. Refused for one that was decided already.',
  params: requestParam,
  body: refuseSchema,
  answers: { 200: { description: 'The request as it is now.', schema: requestSchema } },
  problems: ['resource_not_found', 'state_conflict'],
  audit: ['certificate.request.refuse'],
  async run({ tx, actor, params: { request_id }, body: { reason }, audit, request }) {
    await decide(tx, request_id, { state: 'refused', by: actor.name, at: instant(request.now), reason });
    const action = 'certificate.request.refuse';
    audit({ action, resource_type: 'certificate_request', resource_id: request_id, detail: { reason } });
    return { body: await findRequest(tx, request_id) };
  },
});
