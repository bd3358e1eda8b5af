// Stops the apply of a plan from the plan's own page.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as cancelPlan } from './cancel-plan.ts';

/** By what the job did when it was asked. */
const FLASH: Record<string, string> = {
  queued: 'The apply ends before it has begun; nothing is changed.',
  running: 'The apply stops after the unit that it is at.',
  waiting: 'The plan is being rolled back.',
};

export const operation = formOf(cancelPlan, {
  path: `${pageRoute('plan')}/cancel`,
  page: pageRoute('plan'),
  done: (answer, _fields, params) => ({
    location: pagePath('plan', params.plan_id!),
    flash: FLASH[(answer.body as { state: string }).state] ?? 'The apply stops as soon as it can.',
  }),
});
