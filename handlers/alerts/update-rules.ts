// Changes the rules of alerts.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { ALERTS_TAG, RULES_PATH } from '../../shared/vcf/alerts/receivers.ts';
import { rulesSchema, rulesUpdateSchema, saveRules } from '../../shared/vcf/alerts/rules.ts';

export const operation = defineOperation({
  id: 'updateAlertRules',
  method: 'PATCH',
  path: RULES_PATH,
  access: { scope: 'write:alerts' },
  effect: 'immediate',
  tag: ALERTS_TAG,
  summary: 'Update the rules of alerts',
  description:
    'Changes application state immediately; no apply concerns it. Thresholds hold for the page Health as well. An alert of a condition that is silent from now on is closed at the next look. Omitted properties keep their value; values equal to the saved ones change nothing and keep the revision.',
  body: rulesUpdateSchema,
  answers: { 200: { description: 'The rules as saved now.', schema: rulesSchema, tagged: true } },
  problems: ['revision_stale', 'malformed_precondition'],
  audit: ['alert.rules.update'],
  async run({ tx, services, body, request, audit }) {
    const { saved, changed } = await saveRules(tx, services, body, request.if_match);
    const { revision, updated_at: _at, ...rules } = saved;
    const detail = { changed, ...(changed.length > 0 && rules) };
    audit({ action: 'alert.rules.update', resource_type: 'alert_rules', resource_id: null, detail });
    return { body: saved, revision };
  },
});
