// Somebody takes an alert on.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { acknowledge } from '../../shared/vcf/alerts/alert-store.ts';
import { ALERTS_PATH, ALERTS_TAG } from '../../shared/vcf/alerts/receivers.ts';
import { alertAnswer, alertParam, alertSchema } from '../../shared/vcf/alerts/schemas.ts';

export const operation = defineOperation({
  id: 'acknowledgeAlert',
  method: 'POST',
  path: `${ALERTS_PATH}/{alert_id}/acknowledge`,
  access: { scope: 'write:alerts' },
  effect: 'immediate',
  tag: ALERTS_TAG,
  summary: 'Acknowledge an alert',
  description:
    'Changes application state immediately: the alert carries the name of the caller, and is not sent again. It stays open until its condition ends. One whose severity rises afterwards has to be acknowledged again.',
  params: alertParam,
  answers: { 200: { description: 'The alert as it is now.', schema: alertSchema } },
  problems: ['resource_not_found', 'state_conflict'],
  audit: ['alert.acknowledge'],
  async run({ tx, params, actor, request, audit }) {
    const alert = await acknowledge(tx, params.alert_id, actor.name, request.now);
    const { condition, subject, severity } = alert;
    const detail = { condition, subject, severity };
    audit({ action: 'alert.acknowledge', resource_type: 'alert', resource_id: alert.id, detail });
    return { body: alertAnswer(alert) };
  },
});
