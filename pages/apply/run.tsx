// A plan that was submitted: how far it is, then how it went. The same page is the timeline and the history entry.

import type { Plan } from '../../shared/appliance/apply/plan.ts';
import type { RunJournal } from '../../shared/appliance/apply/plan-store.ts';
import type { WindowView } from '../../shared/appliance/apply/window/view.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Job } from '../../shared/kernel/jobs/job.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { Button, ButtonLink, PostButton } from '../components/button.tsx';
import { Ids } from '../components/code.tsx';
import { Events } from '../components/events.tsx';
import { type Fact, Facts } from '../components/facts.tsx';
import { APPLY_PATH, ROLL_BACK } from '../components/strip.tsx';
import { duration, Instant } from '../components/time.tsx';
import { Timeline } from '../components/timeline.tsx';
import { eventsOf } from '../jobs/job-words.tsx';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';
import { Failure } from './failure.tsx';
import { ReviewAgain } from './review.tsx';
import { hasEnded, progressOf, timelineOf } from './run-facts.ts';
import { type WindowData, WindowEnded, WindowPanel } from './window.tsx';
import { capital, listed, MAY_NOT, mayApply, PlanStateWord, planName, TRAIL, units } from './words.tsx';

export interface RunProps {
  plan: Plan;
  job: Job;
  journal: RunJournal;
  /** Nothing that it put in force was changed since: there is nothing to bring back. */
  inForce: boolean;
  /** Of a plan that has or had one. */
  window: WindowData | null;
  state: ShellState;
  outcome: FormOutcome | null;
}

export function Run({ plan, job, journal, inForce, window: found, state, outcome }: RunProps) {
  const stopping = state.running?.plan_id === plan.id && state.running.stopping;
  const window = found && stopping ? { ...found, view: stoppedView(found.view) } : found;
  const timeline = timelineOf(job);
  const ended = hasEnded(job);
  return (
    <>
      <PageHead title={runTitle(plan, job, window?.view)} trail={TRAIL} here={capital(planName(plan))}>
        {ended && <Afterwards plan={plan} inForce={inForce} state={state} />}
        {!ended && !state.confirm && !stopping && <Cancel plan={plan} job={job} state={state} />}
      </PageHead>
      <Facts facts={runFacts(plan, job, state)} />
      {!ended && job.state !== 'waiting' && <HowFar job={job} />}
      {!ended && window && <WindowPanel plan_id={plan.id} window={window} state={state} outcome={outcome} />}
      {ended && window && <WindowEnded view={window.view} why={job.error?.detail} />}
      {ended && plan.state !== 'applied' && plan.state !== 'reverted' && (
        <Failure plan={plan} job={job} journal={journal} />
      )}
      {timeline.total_ms > 0 && <Timeline rows={timeline.rows} total_ms={timeline.total_ms} />}
      <section class="fig" aria-labelledby="happened">
        <div class="fighead">
          <h2 id="happened">{ended ? 'What happened' : 'What happens'}</h2>
        </div>
        <Events lines={eventsOf(job, state.now)} />
      </section>
    </>
  );
}

/** That it was asked for counts before the first file is back. */
const stoppedView = (view: WindowView): WindowView =>
  view.ended ? view : { ...view, state: 'reverting', deadline_at: null, nonce: null };

/** What can be done with a plan that has ended. */
function Afterwards({ plan, inForce, state }: Pick<RunProps, 'plan' | 'inForce' | 'state'>) {
  if (plan.state !== 'applied') return <ReviewAgain state={state} />;
  if (!plan.restorable || inForce) return null;
  if (!mayApply(state.user)) return <Button unavailable={MAY_NOT}>Restore this configuration</Button>;
  return <ButtonLink href={`${APPLY_PATH}/${plan.id}/restore`}>Restore this configuration</ButtonLink>;
}

/** `2 units applied`, `NTP failed, 2 of 3 units applied`, `Rolled back: all but NTP`. `now`: the window as it is. */
export function runTitle(plan: Plan, job: Job, now?: WindowView): string {
  const { done, total } = progressOf(job);
  if (now?.state === 'reverting') return `Rolling ${units(total)} back`;
  const unrestored = now?.ended?.unrestored ?? [];
  if (unrestored.length > 0) {
    const names = plan.units.filter(({ id }) => unrestored.includes(id)).map(({ label }) => label);
    return `Rolled back: all but ${listed(names)}`;
  }
  if (now?.state === 'reverted') return `${units(total)} rolled back`;
  const failed = job.tasks.find((task) => task.state === 'failed')?.title;
  switch (plan.state) {
    case 'applied':
      return `${units(total)} applied`;
    case 'failed':
      return `${failed ?? 'The apply'} failed, ${done} of ${units(total)} applied`;
    case 'confirming':
      return `${units(total)} applied, waiting for confirmation`;
    case 'reverted':
      return `${units(total)} rolled back`;
    case 'cancelled':
      return `Stopped, ${done} of ${units(total)} applied`;
    default:
      return job.state === 'queued' ? `Waiting to apply ${units(total)}` : `Applying ${units(total)}`;
  }
}

function runFacts(plan: Plan, job: Job, state: ShellState): Fact[] {
  const took = job.started_at && job.finished_at ? Date.parse(job.finished_at) - Date.parse(job.started_at) : null;
  return [
    { label: 'State', value: <PlanStateWord state={plan.state} /> },
    {
      label: 'Submitted',
      value: (
        <>
          <Instant at={plan.submitted_at ?? plan.created_at} now={state.now} /> by {plan.submitted_by}
        </>
      ),
    },
    { label: 'Units', value: listed(plan.units.map(({ label }) => label)) },
    { label: 'Job', value: <a href={pagePath('job', job.id)}>Steps and times</a> },
    ...(took === null ? [] : [{ label: 'Took', value: duration(took) }]),
    ...(plan.note === '' ? [] : [{ label: 'Note', value: plan.note }]),
    { label: 'Ids', value: <Ids of={{ plan: plan.id, job: job.id }} /> },
  ];
}

function HowFar({ job }: { job: Job }) {
  const { done, total, current } = progressOf(job);
  return (
    <div class="progress">
      <progress value={done} max={total} aria-labelledby="progress" />
      <p id="progress" role="status">
        {current === null ? 'Waiting to start' : <b>{current}</b>}, {done} of {units(total)} done
      </p>
    </div>
  );
}

function cancelWord({ window }: Plan, { state }: Job): string {
  if (state === 'queued') return 'Cancel';
  return window ? ROLL_BACK : 'Stop after this unit';
}

function Cancel({ plan, job, state }: { plan: Plan; job: Job; state: ShellState }) {
  return (
    <PostButton
      kind="bad"
      action={`${APPLY_PATH}/${plan.id}/cancel`}
      csrf={state.csrf}
      unavailable={mayApply(state.user) ? undefined : MAY_NOT}
    >
      {cancelWord(plan, job)}
    </PostButton>
  );
}
