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
  description: 'From when on a condition counts, how long it lasts before it is told, and which are never told.',
  answers: {
    200: { description: 'The rules, with the entity tag that If-Match takes.', schema: rulesSchema, tagged: true },
  },
  async run({ db }) {
    const saved = await readRules(db);
    return { body: saved, revision: saved.revision };
  },
});
