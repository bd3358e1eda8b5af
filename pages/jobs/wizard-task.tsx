// The page that follows the job of a wizard: what it is, how far it is, what came of it, and the way out of a refusal. The page
// of each wizard gives its own words to it.
import type { ComponentChildren } from 'preact';
import { jobWords } from '../../shared/appliance/about-jobs.ts';
import { type Continuation, continuationOf } from '../../shared/appliance/continued-jobs.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { notFound } from '../../shared/ground/problems.ts';
import type { Database } from '../../shared/ground/store/database.ts';
import { ENDED, findJob, type Job } from '../../shared/kernel/jobs/job.ts';
import type { WizardTask } from '../../shared/vcf/remote/wizard.ts';
import { ButtonLink } from '../components/button.tsx';
import { type Fact, Facts } from '../components/facts.tsx';
import { duration } from '../components/time.tsx';
import type { ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ContinueJob } from './continue-job.tsx';
import { JobStateWord, ranFor } from './job-words.tsx';
import { JobProgress, JobTimeline, StepList, StopJob } from './job-work.tsx';

export interface ShownTask {
  job: Job;
  asks: Continuation | null;
}

/** `what`: as a refusal names it. @throws Problem 404, also for a job of another kind */
export async function loadTask(db: Database, job_id: string, kind: string, what: string): Promise<ShownTask> {
  const job = await findJob(db, job_id);
  if (job.kind !== kind) throw notFound(what);
  return { job, asks: await continuationOf(db, job) };
}

interface WizardTaskViewProps {
  of: ViewProps<ShownTask>;
  task: WizardTask;
  /** Between the state and who started it. */
  facts: readonly Fact[];
  /** What came of it. */
  children: ComponentChildren;
  failed: (error: NonNullable<Job['error']>) => ComponentChildren;
}

export function WizardTaskView({ of, task, facts, children, failed }: WizardTaskViewProps) {
  const { state, outcome } = of;
  const { job, asks } = of.data;
  return (
    <>
      <PageHead title={jobWords(job)} here={job.subject} trail={[task.above, { href: task.path, label: task.title }]}>
        <ButtonLink href={pagePath('job', job.id)}>The job</ButtonLink>
      </PageHead>
      <div data-live="jobs" id="job" data-done={ENDED.includes(job.state) ? 'true' : undefined}>
        <Facts facts={factsOf(job, state.now, facts)} />
        <JobProgress job={job} />
        {children}
        {job.error !== null && failed(job.error)}
        {asks !== null && <ContinueJob job={job} asks={asks} state={state} outcome={outcome} />}
        <JobTimeline job={job} now={state.now} continues={asks !== null} />
        <StepList job={job} now={state.now} />
        <StopJob job={job} state={state} what="Stop" />
      </div>
    </>
  );
}

function factsOf(job: Job, now: string, own: readonly Fact[]): Fact[] {
  const took = ranFor(job, now);
  return [
    { label: 'State', value: <JobStateWord state={job.state} /> },
    ...own,
    { label: 'Started by', value: job.created_by },
    ...(took === null ? [] : [{ label: job.finished_at === null ? 'Runs for' : 'Took', value: duration(took) }]),
  ];
}
