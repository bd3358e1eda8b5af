// Makes a signing secret for a webhook and shows it, once.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { receiverParam, receiverSecretSchema } from '../../../shared/vcf/alerts/receiver-schemas.ts';
import { makeSecret } from '../../../shared/vcf/alerts/receiver-store.ts';
import { ALERTS_TAG, RECEIVERS_PATH } from '../../../shared/vcf/alerts/receivers.ts';

export const operation = defineOperation({
  id: 'makeAlertReceiverSecret',
  method: 'POST',
  path: `${RECEIVERS_PATH}/{receiver_id}/make-secret`,
  access: { scope: 'write:alerts' },
  effect: 'immediate',
  tag: ALERTS_TAG,
  summary: 'Make the signing secret of a webhook',
  description:
    'Changes application state immediately: the former secret stops working. The new one is in this answer and in no other. The header `X-Groundcrew-Signature` of each message is `v1=` and the hexadecimal HMAC-SHA256, under this secret, of the header `X-Groundcrew-Timestamp` (seconds since 1970), a dot and the body. `X-Groundcrew-Delivery` stays the same when a message is sent again.',
  params: receiverParam,
  answers: { 200: { description: 'The secret, which is in no other answer.', schema: receiverSecretSchema } },
  problems: ['resource_not_found', 'state_conflict', 'vault_keys_unusable'],
  audit: ['alert.receiver.secret'],
  async run({ tx, services, params, audit }) {
    const { receiver, secret } = await makeSecret(tx, services, params.receiver_id);
    const detail = { name: receiver.name };
    audit({ action: 'alert.receiver.secret', resource_type: 'alert_receiver', resource_id: receiver.id, detail });
    return { body: { secret } };
  },
});
