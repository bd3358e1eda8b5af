// The form of the rules of alerts. Boxes are of conditions that are told; the others are silent.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { CONDITION_IDS } from '../../shared/vcf/alerts/condition-ids.ts';
import { operation as updateRules } from './update-rules.ts';

const PAGE = pagePath('alert-rules');
const NUMBERS = [
  ...(['certificate_days', 'disk_percent', 'pool_percent', 'clock_offset_ms', 'failed_sign_ins'] as const),
  ...(['open_after_seconds', 'close_after_seconds', 'reminder_hours'] as const),
];

export const operation = formOf(updateRules, {
  path: PAGE,
  decode(fields) {
    const told = new Set(fields.all('told'));
    return {
      ...Object.fromEntries(NUMBERS.map((name) => [name, fields.integer(name)])),
      silent: CONDITION_IDS.filter((id) => !told.has(id)),
    };
  },
  done: () => ({ location: PAGE, flash: 'The rules are saved. They hold from the next look on.' }),
});
