// One plan by its id: under review while it is open, then the timeline of its apply, later the entry in the history.

import { type ChangedBy, changedBy } from '../../shared/appliance/apply/changed-by.ts';
import type { Plan } from '../../shared/appliance/apply/plan.ts';
import { followPlan, type RunJournal } from '../../shared/appliance/apply/plan-store.ts';
import { readWindowOf, windowView } from '../../shared/appliance/apply/window/view.ts';
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { findJob, type Job } from '../../shared/kernel/jobs/job.ts';
import { unitStates } from '../../shared/platform/applied/unit-state.ts';
import { ButtonLink } from '../components/button.tsx';
import { More } from '../components/code.tsx';
import { Refusal } from '../components/refusal.tsx';
import { APPLY_PATH } from '../components/strip.tsx';
import { definePage } from '../layout/define-page.tsx';
import { pageAt } from '../layout/running-apply.ts';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';
import { PlanUnits, Review, ReviewAgain } from './review.tsx';
import { Run, runTitle } from './run.tsx';
import { hasEnded } from './run-facts.ts';
import type { WindowData } from './window.tsx';
import { capital, interruptions, mayApply, planName, TRAIL, units } from './words.tsx';

interface PlanData {
  plan: Plan;
  /** Labels of units that changed since an open plan was made. */
  changed: string[];
  by: ReadonlyMap<string, ChangedBy>;
  run: { job: Job; journal: RunJournal; inForce: boolean; window: WindowData | null } | null;
}

const REFUSED: Readonly<Record<string, string>> = {
  plan_stale: 'Nothing was applied: the plan is out of date',
  drift_unconfirmed: 'Nothing was applied: the host was changed by hand',
};

const titleOfReview = (plan: Plan, { user }: ShellState): string =>
  mayApply(user) ? `Review the ${planName(plan)}` : capital(planName(plan));

export const page = definePage({
  id: 'planPage',
  path: pageRoute('plan'),
  current: APPLY_PATH,
  access: { session: 'read:apply' },
  params: idParam('plan_id', 'Id of the plan.'),
  async load({ db, params, services, actor, request }): Promise<PlanData> {
    const { journal, stale_units, ...plan } = await followPlan(db, params.plan_id);
    const changed = plan.units.filter(({ id }) => stale_units.includes(id)).map(({ label }) => label);
    const states = await unitStates(db);
    if (plan.job_id === null) {
      const by = await changedBy(db, states);
      return { plan, changed, by, run: null };
    }
    const record = await readWindowOf(services, plan);
    const view = windowView(plan.window, record, actor.scopes.has('write:apply'));
    const place = (address: string) => ({ address, href: pageAt(services, request, address, plan.id) });
    const old = plan.window?.arrived_at ? place(plan.window.arrived_at) : null;
    const window = view && { view, old, places: view.addresses.map(place) };
    const inForce = plan.units.every(({ id }) => {
      const { plan_id, applied_version, desired_version } = states.get(id) ?? {};
      return plan_id === plan.id && applied_version === desired_version;
    });
    const run = { job: await findJob(db, plan.job_id), journal, inForce, window };
    return { plan, changed, by: new Map(), run };
  },
  title: ({ plan, run }, state) => (run ? runTitle(plan, run.job, run.window?.view) : titleOfReview(plan, state)),
  paper: ({ plan }) => `plan ${plan.id} (${plan.digest})`,
  planned: ({ plan, run }) => (run === null && plan.state === 'open' ? plan.units.map(({ id }) => id) : []),
  refreshes: ({ run }) => run !== null && !hasEnded(run.job),
  view({ data: { plan, changed, by, run }, state, outcome }) {
    const problem = outcome?.problem ?? null;
    return (
      <>
        {problem && problem.error_code !== 'request_validation_failed' && (
          <Refusal
            problem={problem}
            title={REFUSED[problem.error_code] ?? problem.title}
            actions={problem.error_code === 'plan_stale' ? <ReviewAgain state={state} /> : undefined}
          />
        )}
        <div data-live="jobs pending" data-done={run && hasEnded(run.job) ? '' : undefined}>
          {run ? (
            <Run plan={plan} {...run} state={state} outcome={outcome} />
          ) : (
            <>
              <PageHead
                title={titleOfReview(plan, state)}
                trail={TRAIL}
                here={capital(planName(plan))}
                intro={`${units(plan.units.length)} in this order. Expected interruption: ${interruptions(plan.units)}.`}
              >
                <ButtonLink href={`${APPLY_PATH}#history`}>Earlier applies</ButtonLink>
              </PageHead>
              <Review plan={plan} changed={changed} by={by} state={state} outcome={outcome} />
            </>
          )}
        </div>
        {run && (
          <section class="fig">
            <More summary="Show the plan as it was reviewed">
              <PlanUnits plan={plan} now={state.now} />
            </More>
          </section>
        )}
      </>
    );
  },
});
