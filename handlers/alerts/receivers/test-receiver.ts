// Tries a receiver of alerts: sends it a test now.
import { newId } from '../../../shared/ground/clock.ts';
import { Problem } from '../../../shared/ground/problems.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { receiverParam, receiverTestedSchema } from '../../../shared/vcf/alerts/receiver-schemas.ts';
import { findReceiver } from '../../../shared/vcf/alerts/receiver-store.ts';
import { ALERTS_TAG, RECEIVERS_PATH } from '../../../shared/vcf/alerts/receivers.ts';

/** Receivers that are being tried, by store. */
const tried_now = new WeakMap<object, Set<string>>();

const BEING_TESTED = 'This receiver is being tested already. Wait for the result.';

type Tried = { sent_at: string; note: string } | { refuse: Problem };

export const operation = defineOperation({
  id: 'testAlertReceiver',
  method: 'POST',
  path: `${RECEIVERS_PATH}/{receiver_id}/test`,
  access: { scope: 'write:alerts' },
  effect: 'immediate',
  tag: ALERTS_TAG,
  summary: 'Test a receiver of alerts',
  description:
    'Changes application state immediately, elsewhere: sends a test to the receiver, beside its queue and also while it is switched off, within 20 seconds, one at a time. What failed is the answer; both are recorded. Syslog has no acknowledgement: there it succeeds when the server ends the connection in good order.',
  params: receiverParam,
  answers: { 200: { description: 'The receiver took the test.', schema: receiverTestedSchema } },
  problems: [
    ...(['resource_not_found', 'trust_missing', 'certificate_changed', 'vault_value_unreadable'] as const),
    ...(['target_refused', 'remote_name_unknown', 'remote_unreachable', 'remote_timeout', 'remote_refused'] as const),
    ...(['remote_login_refused', 'remote_answer_unusable', 'remote_credential_gone', 'remote_unsupported'] as const),
    ...(['remote_not_tls', 'remote_tls_too_old', 'too_many_attempts'] as const),
  ],
  audit: ['alert.receiver.test'],
  async prepare({ services, params }): Promise<Tried> {
    const receiver = await findReceiver(services.store, params.receiver_id);
    const { sendTest } = await import('../../../shared/vcf/alerts/send.ts');
    const own = tried_now.get(services.store) ?? new Set<string>();
    tried_now.set(services.store, own);
    if (own.has(receiver.id)) return { refuse: new Problem('too_many_attempts', BEING_TESTED, { retry_after: 20 }) };
    own.add(receiver.id);
    try {
      return await sendTest(services, receiver, newId('message', services.entropy));
    } catch (error) {
      if (error instanceof Problem) return { refuse: error };
      throw error;
    } finally {
      own.delete(receiver.id);
    }
  },
  async run({ tx, params, audit, prepared }) {
    const tried = prepared as Tried;
    const { id, name, kind } = await findReceiver(tx, params.receiver_id);
    const failed = 'refuse' in tried ? tried.refuse : null;
    audit({
      action: 'alert.receiver.test',
      resource_type: 'alert_receiver',
      resource_id: id,
      outcome: failed === null ? 'success' : 'failure',
      detail: { name, kind, ...(failed && { error_code: failed.code }) },
    });
    return failed === null ? { body: tried } : { refuse: failed };
  },
});
