// Looks at the certificate of the external provider, for somebody to compare.
import { requireProvider } from '../../../shared/kernel/access/external/provider.ts';
import { providerCertificateSchema } from '../../../shared/kernel/access/external/schemas.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { eventOf, type LookedAt, lookAt, shown } from '../../../shared/vcf/external-sign-in/certificate.ts';

interface Prepared extends LookedAt {
  sha256: string | null;
}

export const operation = defineOperation({
  id: 'lookAtSignInProviderCertificate',
  method: 'POST',
  path: '/api/v1/sign-in-provider/look-at-certificate',
  access: { scope: 'write:users' },
  effect: 'immediate',
  tag: 'Users',
  summary: 'Look at the certificate of the external provider',
  description:
    'Changes application state immediately, in the audit log alone: connects to the server of the issuer, and ends the connection when it has shown its certificate. Nothing is sent to it. Compare the fingerprint with the one that the operator of the server knows, then confirm it.',
  answers: { 200: { description: 'The certificate that the server shows now.', schema: providerCertificateSchema } },
  problems: [
    ...(['resource_not_found', 'target_refused', 'too_many_attempts', 'remote_name_unknown'] as const),
    ...(['remote_unreachable', 'remote_timeout', 'remote_not_tls', 'remote_tls_too_old'] as const),
    'remote_answer_unusable',
  ],
  audit: ['remote.target.probe'],
  async prepare({ services, actor }): Promise<Prepared> {
    const { issuer, sha256 } = await requireProvider(services.store);
    return { ...(await lookAt(services, actor, issuer)), sha256 };
  },
  async run({ audit, prepared }) {
    const { issuer, looked, sha256 } = prepared as Prepared;
    audit(eventOf({ issuer, looked }));
    return 'refuse' in looked ? { refuse: looked.refuse } : { body: shown(sha256, looked.seen) };
  },
});
