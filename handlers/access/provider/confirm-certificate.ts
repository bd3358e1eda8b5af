// Confirms the certificate of the external provider.
import { confirmProvider, requireProvider } from '../../../shared/kernel/access/external/provider.ts';
import { providerConfirmSchema, providerSchema } from '../../../shared/kernel/access/external/schemas.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { type LookedAt, lookAt, requireSame } from '../../../shared/vcf/external-sign-in/certificate.ts';

export const operation = defineOperation({
  id: 'confirmSignInProviderCertificate',
  method: 'POST',
  path: '/api/v1/sign-in-provider/confirm-certificate',
  access: { scope: 'write:users' },
  effect: 'immediate',
  tag: 'Users',
  summary: 'Confirm the certificate of the external provider',
  description:
    'Changes application state immediately. The server is checked again: it has to show this very certificate. From then on the sign-in page offers the provider, the address that was found is the only one that is dialled, and a connection on which another certificate is shown is ended before anything is sent. When the provider gets a new certificate, it has to be confirmed again; until then users with a password sign in.',
  body: providerConfirmSchema,
  answers: { 200: { description: 'The provider as saved now.', schema: providerSchema, tagged: true } },
  problems: [
    ...(['resource_not_found', 'state_conflict', 'certificate_changed', 'target_refused'] as const),
    ...(['too_many_attempts', 'remote_name_unknown', 'remote_unreachable', 'remote_timeout'] as const),
    ...(['remote_not_tls', 'remote_tls_too_old', 'remote_answer_unusable'] as const),
  ],
  audit: ['sign_in_provider.trust'],
  async prepare({ services, actor, body }) {
    const { issuer } = await requireProvider(services.store);
    const looked = await lookAt(services, actor, issuer);
    if ('refuse' in looked.looked) throw looked.looked.refuse;
    requireSame(looked.looked.seen, body.sha256);
    return looked;
  },
  async run({ tx, services, audit, prepared }) {
    const { issuer, looked } = prepared as LookedAt;
    if ('refuse' in looked) throw looked.refuse;
    const { address, certificate } = looked.seen;
    const { sha256, subject } = certificate;
    const saved = await confirmProvider(tx, services, { issuer, address, sha256 });
    const detail = { issuer, address, sha256, subject };
    audit({ action: 'sign_in_provider.trust', resource_type: 'sign_in_provider', resource_id: null, detail });
    return { body: saved, revision: saved.revision };
  },
});
