// Confirms the certificate of a SCIM target.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { CLIENTS_PATH, OIDC_TAG } from '../../../shared/services/oidc/clients/clients.ts';
import { scimConfirmSchema, scimTargetSchema, targetParam } from '../../../shared/services/oidc/scim/schemas.ts';
import { confirmCertificate, requireTarget } from '../../../shared/services/oidc/scim/targets.ts';
import { type LookedAt, lookAt, requireSame } from '../../../shared/vcf/scim/certificate.ts';

export const operation = defineOperation({
  id: 'confirmOidcScimCertificate',
  method: 'POST',
  path: `${CLIENTS_PATH}/{oidc_client_id}/scim/confirm-certificate`,
  access: { scope: 'write:oidc' },
  effect: 'immediate',
  tag: OIDC_TAG,
  summary: 'Confirm the certificate of a SCIM target',
  description:
    'Changes application state immediately. The server is checked again: it has to show this very certificate. From then on the address that was found is the only one that is dialled, and a connection on which another certificate is shown is ended before the token is sent.',
  params: targetParam,
  body: scimConfirmSchema,
  answers: { 200: { description: 'The target as saved now.', schema: scimTargetSchema, tagged: true } },
  problems: [
    ...(['resource_not_found', 'state_conflict', 'certificate_changed', 'target_refused'] as const),
    ...(['too_many_attempts', 'remote_name_unknown', 'remote_unreachable', 'remote_timeout'] as const),
    ...(['remote_not_tls', 'remote_tls_too_old', 'remote_answer_unusable'] as const),
  ],
  audit: ['oidc.scim.trust'],
  async prepare({ services, actor, params, body }) {
    const looked = await lookAt(services, actor, await requireTarget(services.store, params.oidc_client_id));
    if ('refuse' in looked.looked) throw looked.looked.refuse;
    requireSame(looked.looked.seen, body.sha256);
    return looked;
  },
  async run({ tx, services, audit, prepared }) {
    const { target, looked } = prepared as LookedAt;
    if ('refuse' in looked) throw looked.refuse;
    const { address, certificate } = looked.seen;
    const { sha256, subject } = certificate;
    const saved = await confirmCertificate(tx, services, { target, address, sha256 });
    const detail = { base_url: saved.base_url, address, sha256, subject };
    audit({ action: 'oidc.scim.trust', resource_type: 'oidc_client', resource_id: saved.client_id, detail });
    return { body: saved, revision: saved.revision };
  },
});
