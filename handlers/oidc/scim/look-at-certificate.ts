// Looks at the certificate of a SCIM target, for somebody to compare.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { CLIENTS_PATH, OIDC_TAG } from '../../../shared/services/oidc/clients/clients.ts';
import { scimCertificateSchema, targetParam } from '../../../shared/services/oidc/scim/schemas.ts';
import { requireTarget } from '../../../shared/services/oidc/scim/targets.ts';
import { eventOf, type LookedAt, lookAt, shown } from '../../../shared/vcf/scim/certificate.ts';

export const operation = defineOperation({
  id: 'lookAtOidcScimCertificate',
  method: 'POST',
  path: `${CLIENTS_PATH}/{oidc_client_id}/scim/look-at-certificate`,
  access: { scope: 'write:oidc' },
  effect: 'immediate',
  tag: OIDC_TAG,
  summary: 'Look at the certificate of a SCIM target',
  description:
    'Changes application state immediately, in the audit log alone: connects to the server, and ends the connection when it has shown its certificate. Nothing is sent to it. Compare the fingerprint with the one that the operator of the server knows, then confirm it.',
  params: targetParam,
  answers: { 200: { description: 'The certificate that the server shows now.', schema: scimCertificateSchema } },
  problems: [
    ...(['resource_not_found', 'target_refused', 'too_many_attempts', 'remote_name_unknown'] as const),
    ...(['remote_unreachable', 'remote_timeout', 'remote_not_tls', 'remote_tls_too_old'] as const),
    'remote_answer_unusable',
  ],
  audit: ['remote.target.probe'],
  prepare: async ({ services, actor, params }) =>
    lookAt(services, actor, await requireTarget(services.store, params.oidc_client_id)),
  async run({ audit, prepared }) {
    const { target, looked } = prepared as LookedAt;
    audit(eventOf({ target, looked }));
    return 'refuse' in looked ? { refuse: looked.refuse } : { body: shown(target, looked.seen) };
  },
});
