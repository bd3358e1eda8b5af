// One plan, as it was reviewed, and how far its run is.
import { followPlan } from '../../shared/appliance/apply/plan-store.ts';
import { planView } from '../../shared/appliance/apply/plan-view.ts';
import { planSchema } from '../../shared/appliance/apply/schemas.ts';
import { readWindowOf } from '../../shared/appliance/apply/window/view.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getPlan',
  method: 'GET',
  path: '/api/v1/apply/plans/{plan_id}',
  access: { scope: 'read:apply' },
  tag: 'Apply',
  summary: 'Get a plan',
  description:
    'One plan with the change, the validation and the expected interruption of each unit, in the order in which they are applied. While its confirm window is open, `window` says how long, and, to users who may apply, what a confirmation repeats.',
  params: idParam('plan_id', 'Id of the plan.'),
  answers: { 200: { description: 'The plan as it is now.', schema: planSchema } },
  problems: ['resource_not_found'],
  async run({ services, actor, db, params }) {
    const plan = await followPlan(db, params.plan_id);
    return { body: planView(plan, await readWindowOf(services, plan), actor) };
  },
});
