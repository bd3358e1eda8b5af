// Gives more time to confirm, from the page of the plan.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as extendPlan } from './extend-plan.ts';

const PAGE = pageRoute('plan');

export const operation = formOf(extendPlan, {
  path: `${PAGE}/extend`,
  page: PAGE,
  decode: (fields) => ({ confirm_timeout: fields.integer('confirm_timeout') }),
  done: (_answer, _fields, params) => ({
    location: pagePath('plan', params.plan_id!),
    flash: 'The window counts anew.',
  }),
});
