// What a receiver of alerts was told, what waits for it, and what was given up.
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { messagesOf } from '../../../shared/vcf/alerts/queue.ts';
import { receiverMessagesSchema, receiverParam } from '../../../shared/vcf/alerts/receiver-schemas.ts';
import { findReceiver } from '../../../shared/vcf/alerts/receiver-store.ts';
import { ALERTS_TAG, RECEIVERS_PATH } from '../../../shared/vcf/alerts/receivers.ts';

/** Messages of an answer. */
const MOST = 200;

export const operation = defineOperation({
  id: 'listAlertReceiverMessages',
  method: 'GET',
  path: `${RECEIVERS_PATH}/{receiver_id}/messages`,
  access: { scope: 'read:alerts' },
  tag: ALERTS_TAG,
  summary: 'List messages to a receiver of alerts',
  description:
    'The last 200 messages, the newest first: what it took, what waits, and dead letters with the reason. They are sent in order; one is tried 16 times, within about ten hours, before it is given up. At most 200 wait: beyond that the oldest are given up.',
  params: receiverParam,
  answers: { 200: { description: 'Its messages.', schema: receiverMessagesSchema } },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    const { id } = await findReceiver(db, params.receiver_id);
    const rows = await messagesOf(db, id, MOST);
    return { body: { items: rows.map(({ receiver_id: _of, content: _content, ...message }) => message) } };
  },
});
