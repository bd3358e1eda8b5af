// Applies a reviewed plan from its own page.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as submitPlan } from './submit-plan.ts';

export const operation = formOf(submitPlan, {
  path: `${pageRoute('plan')}/submit`,
  page: pageRoute('plan'),
  decode(fields) {
    // An empty field asks for no window where none is needed.
    const confirm_timeout = fields.text('confirm_timeout') === '' ? undefined : fields.integer('confirm_timeout');
    const reviewed = { digest: fields.text('digest'), note: fields.text('note') };
    const overwrite_drift = fields.all('overwrite_drift');
    return {
      ...reviewed,
      ...(overwrite_drift.length > 0 && { overwrite_drift }),
      ...(confirm_timeout !== undefined && { confirm_timeout }),
    };
  },
  done: (_answer, _fields, params) => ({ location: pagePath('plan', params.plan_id!) }),
});
