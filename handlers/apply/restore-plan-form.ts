// The button that brings an earlier state back, on the page that asks for confirmation. It leads to the new plan's review.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as restorePlan } from './restore-plan.ts';

const PAGE = pagePath('apply');

export const operation = formOf(restorePlan, {
  path: `${PAGE}/{plan_id}/restore`,
  done(answer, _fields, params) {
    const { plan_id, collections } = answer.body as { plan_id: string | null; collections: unknown[] };
    if (plan_id)
      return { location: `${PAGE}/${plan_id}`, flash: 'The earlier state is saved. Review it to put it in force.' };
    const flash =
      collections.length > 0
        ? 'The earlier state is saved, and it is what is in force.'
        : 'Nothing was saved: everything is as this plan had it.';
    return { location: `${PAGE}/${params.plan_id}`, flash };
  },
});
