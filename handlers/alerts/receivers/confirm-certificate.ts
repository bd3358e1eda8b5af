// Confirms the certificate of a receiver of alerts.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { eventOf, type LookedAt, lookAt, refusalOf } from '../../../shared/vcf/alerts/certificate.ts';
import { receiverConfirmSchema, receiverParam, receiverSchema } from '../../../shared/vcf/alerts/receiver-schemas.ts';
import { confirmCertificate, findReceiver } from '../../../shared/vcf/alerts/receiver-store.ts';
import { ALERTS_TAG, RECEIVERS_PATH, receiverItem } from '../../../shared/vcf/alerts/receivers.ts';

export const operation = defineOperation({
  id: 'confirmAlertReceiverCertificate',
  method: 'POST',
  path: `${RECEIVERS_PATH}/{receiver_id}/confirm-certificate`,
  access: { scope: 'write:alerts' },
  effect: 'immediate',
  tag: ALERTS_TAG,
  summary: 'Confirm the certificate of a receiver of alerts',
  description:
    'Changes application state immediately. The server is checked again: it has to show this very certificate. From then on a connection on which another one is shown is ended before anything is sent.',
  params: receiverParam,
  body: receiverConfirmSchema,
  answers: { 200: { description: 'The receiver as saved now.', schema: receiverSchema, tagged: true, live: true } },
  problems: [
    ...(['resource_not_found', 'state_conflict', 'certificate_changed', 'target_refused'] as const),
    ...(['too_many_attempts', 'remote_name_unknown', 'remote_unreachable', 'remote_timeout'] as const),
    ...(['remote_not_tls', 'remote_tls_too_old', 'remote_answer_unusable', 'remote_refused'] as const),
  ],
  audit: ['alert.receiver.trust', 'remote.target.probe'],
  prepare: async ({ services, actor, params }) =>
    lookAt(services, actor, await findReceiver(services.store, params.receiver_id)),
  async run({ tx, services, body, audit, prepared }) {
    const { receiver, looked } = prepared as LookedAt;
    if ('refuse' in looked || looked.seen.certificate.sha256 !== body.sha256) {
      // A look that confirms nothing is recorded as one.
      audit(eventOf({ receiver, looked }));
      return { refuse: refusalOf(looked, body.sha256) };
    }
    const { address, certificate } = looked.seen;
    const { sha256, subject } = certificate;
    const saved = await confirmCertificate(tx, services, receiver, sha256);
    const { host, port } = saved.place;
    const detail = { name: saved.name, host, port, address, sha256, subject };
    audit({ action: 'alert.receiver.trust', resource_type: 'alert_receiver', resource_id: saved.id, detail });
    return { body: receiverItem(saved), revision: saved.revision };
  },
});
