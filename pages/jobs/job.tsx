// One job: how far it is, what it did step by step, and stopping it.
import { ENDED, findJob, type Job } from '../../shared/jobs/job.ts';
import { idParam } from '../../shared/operation/component.ts';
import { Block } from '../components/block.tsx';
import { ButtonLink, PostButton } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { Events } from '../components/events.tsx';
import { Facts } from '../components/facts.tsx';
import { Refusal } from '../components/refusal.tsx';
import { duration, Instant } from '../components/time.tsx';
import { Timeline } from '../components/timeline.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { ROOT } from '../layout/navigation.ts';
import { PageHead } from '../layout/shell.tsx';
import { ContinueJob, remoteFacts } from './continue-job.tsx';
import { eventsOf, JobStateWord, ranFor, subjectHref, timelineOf, whyNotCancel } from './job-words.tsx';

const JOBS = `${ROOT}/jobs`;

export const page = definePage({
  id: 'jobPage',
  path: `${JOBS}/{job_id}`,
  current: JOBS,
  access: { session: 'read:jobs' },
  params: idParam('job_id', 'Id of the job.'),
  load: async ({ db, params }) => findJob(db, params.job_id),
  title: ({ id }) => id,
  view: JobView,
});

function JobView({ data: job, state, outcome }: ViewProps<Job>) {
  const about = subjectHref(job);
  const rows = timelineOf(job);
  const typed = typedInto('continueJobForm', outcome);
  const drawn = rows.some(({ bars }) => bars.length > 0);
  return (
    <>
      <PageHead title={<code>{job.id}</code>} here={job.id} trail={[{ href: JOBS, label: 'Jobs' }]}>
        {about !== null && <ButtonLink href={about}>Open the plan</ButtonLink>}
      </PageHead>
      {outcome?.problem && !typed.outcome && (
        <Refusal problem={outcome.problem} title="The job was not asked to stop" />
      )}
      <Refused typed={typed} labels={{ username: 'User name', password: 'Password' }} />
      <div data-live="jobs" id="job" data-done={ENDED.includes(job.state) ? 'true' : undefined}>
        <JobFacts job={job} now={state.now} />
        {job.error !== null && (
          <Block title={job.error.title ?? 'The job failed'}>
            {job.error.detail} <code>{job.error.error_code}</code>
          </Block>
        )}
        <ContinueJob job={job} state={state} typed={typed} />
        {drawn && <Timeline rows={rows} total_ms={ranFor(job, state.now) ?? 0} />}
        <section class="steps-run">
          <h2>Steps</h2>
          {job.tasks.length === 0 ? <Empty>This job has no steps.</Empty> : <Events lines={eventsOf(job, state.now)} />}
        </section>
        <div class="actions">
          <PostButton
            kind="bad"
            action={`${JOBS}/${encodeURIComponent(job.id)}/cancel`}
            csrf={state.csrf}
            unavailable={whyNotCancel(job.state, state.user.scopes)}
          >
            Stop the job
          </PostButton>
          {!ENDED.includes(job.state) && (
            <p class="muted">A running job stops at its next safe point: an apply finishes the unit that it is at.</p>
          )}
        </div>
      </div>
    </>
  );
}

function JobFacts({ job, now }: { job: Job; now: string }) {
  const took = ranFor(job, now);
  const done = job.tasks.filter(({ state }) => state !== 'queued' && state !== 'running').length;
  return (
    <Facts
      facts={[
        { label: 'State', value: <JobStateWord state={job.state} /> },
        { label: 'Kind', value: job.kind },
        ...remoteFacts(job),
        { label: 'Progress', value: `${job.progress_percent} %, ${done} of ${job.tasks.length} steps ended` },
        { label: 'Started by', value: job.created_by },
        { label: 'Created', value: <Instant at={job.created_at} now={now} /> },
        ...(job.finished_at === null ? [] : [{ label: 'Ended', value: <Instant at={job.finished_at} now={now} /> }]),
        ...(took === null ? [] : [{ label: job.finished_at === null ? 'Runs for' : 'Took', value: duration(took) }]),
      ]}
    />
  );
}
