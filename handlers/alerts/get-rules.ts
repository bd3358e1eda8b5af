// The rules of alerts.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { ALERTS_TAG, RULES_PATH } from '../../shared/vcf/alerts/receivers.ts';
import { readRules, rulesSchema } from '../../shared/vcf/alerts/rules.ts';

export const operation = defineOperation({
  id: 'getAlertRules',
  method: 'GET',
  path: RULES_PATH,
  access: { scope: 'read:alerts' },
  tag: ALERTS_TAG,
  summary: 'Get the rules of alerts',
  description: 'The thresholds of the conditions, how long one lasts before its alert opens, and which never open one.',
  answers: {
    200: { description: 'The rules, with the entity tag that If-Match takes.', schema: rulesSchema, tagged: true },
  },
  async run({ db }) {
    const saved = await readRules(db);
    return { body: saved, revision: saved.revision };
  },
});
