// Confirms a plan from its own page, or from the strip of any other.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as confirmPlan } from './confirm-plan.ts';

const PAGE = pageRoute('plan');

export const operation = formOf(confirmPlan, {
  path: `${PAGE}/confirm`,
  page: PAGE,
  decode: (fields) => ({ nonce: fields.text('nonce') }),
  done: (_answer, _fields, params) => ({
    location: pagePath('plan', params.plan_id!),
    flash: 'Confirmed: the plan stays in force.',
  }),
});
