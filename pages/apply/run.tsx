// A plan that was submitted: how far it is, then how it went. The same page is the timeline and the history entry.
import type { Plan } from '../../shared/apply/plan.ts';
import type { RunJournal } from '../../shared/apply/plan-store.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { Block } from '../components/block.tsx';
import { PostButton } from '../components/button.tsx';
import { Events } from '../components/events.tsx';
import { type Fact, Facts } from '../components/facts.tsx';
import { APPLY_PATH } from '../components/strip.tsx';
import { duration, Instant } from '../components/time.tsx';
import { Timeline } from '../components/timeline.tsx';
import { eventsOf } from '../jobs/job-words.tsx';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';
import { ReviewAgain } from './review.tsx';
import { hasEnded, outcomes, progressOf, timelineOf } from './run-facts.ts';
import { listed, MAY_NOT, mayApply, PlanStateWord, TRAIL, units } from './words.tsx';

export interface RunProps {
  plan: Plan;
  job: Job;
  journal: RunJournal;
  state: ShellState;
}

export function Run({ plan, job, journal, state }: RunProps) {
  const timeline = timelineOf(job);
  const ended = hasEnded(job);
  return (
    <>
      <PageHead title={runTitle(plan, job)} trail={TRAIL} here={<code>{plan.id}</code>}>
        {ended ? (
          plan.state !== 'applied' && <ReviewAgain state={state} />
        ) : (
          <Cancel plan={plan} job={job} state={state} />
        )}
      </PageHead>
      <Facts facts={runFacts(plan, job, state)} />
      {!ended && <HowFar job={job} />}
      {ended && plan.state !== 'applied' && (
        <Block title={plan.state === 'failed' ? (job.error?.detail ?? 'The apply failed') : 'Stopped before its end'}>
          {outcomes(plan.units, job, journal).map((sentence) => (
            <span key={sentence} class="line">
              {sentence}
            </span>
          ))}
        </Block>
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

/** `2 units applied`, `NTP failed, 2 of 3 units applied`. */
export function runTitle(plan: Plan, job: Job): string {
  const { done, total } = progressOf(job);
  const failed = job.tasks.find((task) => task.state === 'failed')?.title;
  switch (plan.state) {
    case 'applied':
      return `${units(total)} applied`;
    case 'failed':
      return `${failed ?? 'The apply'} failed, ${done} of ${units(total)} applied`;
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
    {
      label: 'Job',
      value: (
        <a href={`/ui/management/jobs/${job.id}`}>
          <code>{job.id}</code>
        </a>
      ),
    },
    ...(took === null ? [] : [{ label: 'Took', value: duration(took) }]),
    ...(plan.note === '' ? [] : [{ label: 'Note', value: plan.note }]),
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

function Cancel({ plan, job, state }: { plan: Plan; job: Job; state: ShellState }) {
  return (
    <PostButton
      kind="bad"
      action={`${APPLY_PATH}/${plan.id}/cancel`}
      csrf={state.csrf}
      unavailable={mayApply(state.user) ? undefined : MAY_NOT}
    >
      {job.state === 'queued' ? 'Cancel' : 'Stop after this unit'}
    </PostButton>
  );
}
