// Gives more time to confirm, from the page of the plan.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as extendPlan } from './extend-plan.ts';

const PAGE = '/ui/management/appliance-apply/{plan_id}';

export const operation = defineForm(
  { of: extendPlan, path: `${PAGE}/extend`, access: { session: 'write:apply' } },
  {
    page: PAGE,
    decode: (fields) => ({ confirm_timeout: fields.integer('confirm_timeout') }),
    done: (_answer, _fields, params) => ({
      location: `/ui/management/appliance-apply/${params.plan_id}`,
      flash: 'The window counts anew.',
    }),
  },
);
