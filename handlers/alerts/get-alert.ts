// One alert.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findAlert } from '../../shared/vcf/alerts/alert-store.ts';
import { ALERTS_PATH, ALERTS_TAG } from '../../shared/vcf/alerts/receivers.ts';
import { alertAnswer, alertParam, alertSchema } from '../../shared/vcf/alerts/schemas.ts';

export const operation = defineOperation({
  id: 'getAlert',
  method: 'GET',
  path: `${ALERTS_PATH}/{alert_id}`,
  access: { scope: 'read:alerts' },
  tag: ALERTS_TAG,
  summary: 'Get an alert',
  description: 'What needed somebody, since when, and who took it on.',
  params: alertParam,
  answers: { 200: { description: 'The alert as it was last seen.', schema: alertSchema } },
  problems: ['resource_not_found'],
  run: async ({ db, params }) => ({ body: alertAnswer(await findAlert(db, params.alert_id)) }),
});
