// Applies a reviewed plan from its own page.
import { defineForm } from '../../shared/operation/define-operation.ts';
import { operation as submitPlan } from './submit-plan.ts';

export const operation = defineForm(
  {
    of: submitPlan,
    path: '/ui/management/appliance-apply/{plan_id}/submit',
    access: { session: 'write:apply' },
  },
  {
    page: '/ui/management/appliance-apply/{plan_id}',
    decode: (fields) => ({ digest: fields.text('digest'), note: fields.text('note') }),
    done: (_answer, _fields, params) => ({ location: `/ui/management/appliance-apply/${params.plan_id}` }),
  },
);
