// Lists plans: the history of applies.
import * as v from 'valibot';
import { PLAN_STATES } from '../../shared/appliance/apply/plan.ts';
import { listPlans } from '../../shared/appliance/apply/plan-store.ts';
import { summaryViews } from '../../shared/appliance/apply/plan-view.ts';
import { planListSchema } from '../../shared/appliance/apply/schemas.ts';
import { described, PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'listPlans',
  method: 'GET',
  path: '/api/v1/apply/plans',
  access: { scope: 'read:apply' },
  tag: 'Apply',
  summary: 'List plans',
  description:
    'Newest first, without their diffs. Plans that were submitted are kept for ever; those that a newer one replaced, for a week.',
  query: v.strictObject({
    ...PAGE_QUERY,
    state: v.optional(described(v.picklist(PLAN_STATES), 'Only plans in this state.')),
  }),
  answers: { 200: { description: 'A page of the plans; `next_cursor` leads to the next.', schema: planListSchema } },
  problems: ['invalid_cursor'],
  async run({ services, db, query: { state, limit, cursor } }) {
    const states = state && [state];
    const { items, next_cursor } = await listPlans(db, { states, limit: pageLimit(limit), cursor });
    return { body: { items: await summaryViews(services, items), next_cursor } };
  },
});
