// One plan by its id: under review while it is open, then the timeline of its apply, later the entry in the history.

import type { Plan } from '../../shared/appliance/apply/plan.ts';
import { followPlan, type RunJournal } from '../../shared/appliance/apply/plan-store.ts';
import { readWindowOf, windowView } from '../../shared/appliance/apply/window/view.ts';
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { findJob, type Job } from '../../shared/kernel/jobs/job.ts';
import { ButtonLink } from '../components/button.tsx';
import { More } from '../components/code.tsx';
import { Refusal } from '../components/refusal.tsx';
import { APPLY_PATH } from '../components/strip.tsx';
import { definePage } from '../layout/define-page.tsx';
import { pageAt } from '../layout/running-apply.ts';
import { PageHead } from '../layout/shell.tsx';
import { PlanUnits, Review, ReviewAgain } from './review.tsx';
import { Run, runTitle } from './run.tsx';
import { hasEnded } from './run-facts.ts';
import type { WindowData } from './window.tsx';
import { interruptions, TRAIL, units } from './words.tsx';

interface PlanData {
  plan: Plan;
  /** Labels of units that changed since an open plan was made. */
  changed: string[];
  run: { job: Job; journal: RunJournal; window: WindowData | null } | null;
}

export const page = definePage({
  id: 'planPage',
  path: pageRoute('plan'),
  current: APPLY_PATH,
  access: { session: 'read:apply' },
  params: idParam('plan_id', 'Id of the plan.'),
  async load({ db, params, services, actor, request }): Promise<PlanData> {
    const { journal, stale_units, ...plan } = await followPlan(db, params.plan_id);
    const changed = plan.units.filter(({ id }) => stale_units.includes(id)).map(({ label }) => label);
    if (plan.job_id === null) return { plan, changed, run: null };
    const record = await readWindowOf(services, plan);
    const view = windowView(plan.window, record, actor.scopes.has('write:apply'));
    const place = (address: string) => ({ address, href: pageAt(services, request, address, plan.id) });
    const old = plan.window?.arrived_at ? place(plan.window.arrived_at) : null;
    const window = view && { view, old, places: view.addresses.map(place) };
    const run = { job: await findJob(db, plan.job_id), journal, window };
    return { plan, changed, run };
  },
  title: ({ plan, run }) => (run ? runTitle(plan, run.job, run.window?.view) : `Review ${plan.id}`),
  view({ data: { plan, changed, run }, state, outcome }) {
    const problem = outcome?.problem ?? null;
    return (
      <>
        {problem && problem.error_code !== 'request_validation_failed' && (
          <Refusal
            problem={problem}
            title={problem.error_code === 'plan_stale' ? 'Nothing was applied: the plan is out of date' : problem.title}
            actions={problem.error_code === 'plan_stale' ? <ReviewAgain state={state} /> : undefined}
          />
        )}
        <div data-live="jobs pending" data-done={run && hasEnded(run.job) ? '' : undefined}>
          {run ? (
            <Run plan={plan} {...run} state={state} outcome={outcome} />
          ) : (
            <>
              <PageHead
                title={
                  <>
                    Review plan <span class="mono">{plan.id}</span>
                  </>
                }
                trail={TRAIL}
                here={<code>{plan.id}</code>}
                intro={`${units(plan.units.length)} in this order. Expected interruption: ${interruptions(plan.units)}.`}
              >
                <ButtonLink href={`${APPLY_PATH}#history`}>Earlier applies</ButtonLink>
              </PageHead>
              <Review plan={plan} changed={changed} state={state} outcome={outcome} />
            </>
          )}
        </div>
        {run && (
          <section class="fig">
            <More summary="Show the plan as it was reviewed">
              <PlanUnits plan={plan} />
            </More>
          </section>
        )}
      </>
    );
  },
});
