// Confirms a plan from its own page, or from the strip of any other.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as confirmPlan } from './confirm-plan.ts';

const PAGE = '/ui/management/appliance-apply/{plan_id}';

export const operation = defineForm(
  { of: confirmPlan, path: `${PAGE}/confirm`, access: { session: 'write:apply' } },
  {
    page: PAGE,
    decode: (fields) => ({ nonce: fields.text('nonce') }),
    done: (_answer, _fields, params) => ({
      location: `/ui/management/appliance-apply/${params.plan_id}`,
      flash: 'Confirmed: the plan stays in force.',
    }),
  },
);
