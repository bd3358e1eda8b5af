// Looks at the certificate of a receiver of alerts, for somebody to compare.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { eventOf, type LookedAt, lookAt, shown } from '../../../shared/vcf/alerts/certificate.ts';
import { receiverCertificateSchema, receiverParam } from '../../../shared/vcf/alerts/receiver-schemas.ts';
import { findReceiver } from '../../../shared/vcf/alerts/receiver-store.ts';
import { ALERTS_TAG, RECEIVERS_PATH } from '../../../shared/vcf/alerts/receivers.ts';

export const operation = defineOperation({
  id: 'lookAtAlertReceiverCertificate',
  method: 'POST',
  path: `${RECEIVERS_PATH}/{receiver_id}/look-at-certificate`,
  access: { scope: 'write:alerts' },
  effect: 'immediate',
  tag: ALERTS_TAG,
  summary: 'Look at the certificate of a receiver of alerts',
  description:
    'Changes application state immediately, in the audit log alone: connects to the server, for mail with STARTTLS up to TLS, and ends the connection when it has shown its certificate. No alert and no secret is sent to it. Compare the fingerprint with the one that the operator of the server knows, then confirm it.',
  params: receiverParam,
  answers: { 200: { description: 'The certificate that the server shows now.', schema: receiverCertificateSchema } },
  problems: [
    ...(['resource_not_found', 'target_refused', 'too_many_attempts', 'remote_name_unknown'] as const),
    ...(['remote_unreachable', 'remote_timeout', 'remote_not_tls', 'remote_tls_too_old'] as const),
    ...(['remote_answer_unusable', 'remote_refused'] as const),
  ],
  audit: ['remote.target.probe'],
  prepare: async ({ services, actor, params }) =>
    lookAt(services, actor, await findReceiver(services.store, params.receiver_id)),
  async run({ audit, prepared }) {
    const { receiver, looked } = prepared as LookedAt;
    audit(eventOf({ receiver, looked }));
    return 'refuse' in looked ? { refuse: looked.refuse } : { body: shown(receiver, looked.seen) };
  },
});
