// One job: how far it is, what it did step by step, and stopping it.

import { jobFile, jobPage, jobWords } from '../../shared/appliance/about-jobs.ts';
import { type Continuation, continuationOf } from '../../shared/appliance/continued-jobs.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { FieldError } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { ENDED, findJob, type Job } from '../../shared/kernel/jobs/job.ts';
import { Block } from '../components/block.tsx';
import { ButtonLink } from '../components/button.tsx';
import { Ids } from '../components/code.tsx';
import { Facts } from '../components/facts.tsx';
import { permittedNetworks } from '../components/permitted-networks.tsx';
import { Refusal } from '../components/refusal.tsx';
import { ROLL_BACK } from '../components/strip.tsx';
import { duration, Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ContinueJob, NotContinued, remoteFacts } from './continue-job.tsx';
import { JobStateWord, ranFor, warningFacts } from './job-words.tsx';
import { JobProgress, JobTimeline, StepList, StopJob } from './job-work.tsx';

const JOBS = pagePath('jobs');

export const page = definePage({
  id: 'jobPage',
  path: `${JOBS}/{job_id}`,
  current: JOBS,
  access: { session: 'read:jobs' },
  params: idParam('job_id', 'Id of the job.'),
  load: async ({ db, params }): Promise<Shown> => {
    const job = await findJob(db, params.job_id);
    return { job, asks: await continuationOf(db, job) };
  },
  title: ({ job }) => jobWords(job),
  refreshes: ({ job }) => !ENDED.includes(job.state),
  view: JobView,
});

interface Shown {
  job: Job;
  asks: Continuation | null;
}

function JobView({ data: { job, asks }, state, outcome }: ViewProps<Shown>) {
  const words = jobWords(job);
  const own = jobPage(job);
  const ended = ENDED.includes(job.state);
  const rolls = state.running?.job_id === job.id && state.running.rolls_back;
  return (
    <>
      <PageHead title={words} trail={[{ href: JOBS, label: 'Jobs' }]}>
        {own !== null && <ButtonLink href={own.href}>Open the {own.label.toLowerCase()}</ButtonLink>}
      </PageHead>
      {outcome?.problem && outcome.operation_id === 'cancelJobForm' && (
        <Refusal problem={outcome.problem} title="The job was not asked to stop" />
      )}
      <NotContinued asks={asks} outcome={outcome} />
      <div data-live="jobs" id="job" data-done={ended ? 'true' : undefined}>
        <JobFacts job={job} now={state.now} />
        <JobProgress job={job} />
        {job.error !== null && (
          <Block title={job.error.title ?? 'The job failed'} actions={permittedNetworks(job.error.error_code)}>
            {job.error.detail} <code>{job.error.error_code}</code>
            <Faults job={job} />
            {job.error.request_id && (
              <span class="line muted">
                Request id <code>{job.error.request_id}</code>
              </span>
            )}
          </Block>
        )}
        {asks !== null && <ContinueJob job={job} asks={asks} state={state} outcome={outcome} />}
        {!ended && !(rolls && state.running?.stopping) && (
          <StopJob job={job} state={state} what={rolls ? ROLL_BACK : undefined} />
        )}
        <StepList job={job} now={state.now} />
        <JobTimeline job={job} now={state.now} continues={asks !== null} />
        {ended && <StopJob job={job} state={state} />}
      </div>
    </>
  );
}

const FAULTS_SHOWN = 20;

/** What was wrong with what the job was given, and the file that has all of it. */
function Faults({ job }: { job: Job }) {
  const errors = (job.error?.errors as FieldError[] | undefined) ?? [];
  if (errors.length === 0) return null;
  const file = jobFile(job);
  const more = errors.length - FAULTS_SHOWN;
  return (
    <>
      <ul>
        {errors.slice(0, FAULTS_SHOWN).map(({ pointer, detail }) => (
          <li key={`${pointer} ${detail}`}>{detail}</li>
        ))}
        {more > 0 && <li>And others.</li>}
      </ul>
      {file !== null && <a href={file.href}>{file.label}</a>}
    </>
  );
}

function JobFacts({ job, now }: { job: Job; now: string }) {
  const took = ranFor(job, now);
  const done = job.tasks.filter(({ state }) => state === 'succeeded').length;
  return (
    <Facts
      facts={[
        { label: 'State', value: <JobStateWord state={job.state} result={job.result} /> },
        ...warningFacts(job),
        ...remoteFacts(job),
        { label: 'Progress', value: `${job.progress_percent} %, ${done} of ${job.tasks.length} steps done` },
        { label: 'Started by', value: job.created_by },
        { label: 'Created', value: <Instant at={job.created_at} now={now} /> },
        ...(job.finished_at === null ? [] : [{ label: 'Ended', value: <Instant at={job.finished_at} now={now} /> }]),
        ...(took === null ? [] : [{ label: job.finished_at === null ? 'Runs for' : 'Took', value: duration(took) }]),
        { label: 'Ids', value: <Ids of={{ job: job.id, kind: job.kind }} /> },
      ]}
    />
  );
}
