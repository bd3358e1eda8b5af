// How far a configuration of an appliance's depot is: its steps and their words, what came of it, and the way out of a
// refusal.

import { jobWords } from '../../shared/appliance/about-jobs.ts';
import { type Continuation, continuationOf } from '../../shared/appliance/continued-jobs.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { notFound } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { ENDED, findJob, type Job } from '../../shared/kernel/jobs/job.ts';
import { TRUST_TASK } from '../../shared/vcf/remote/wizard.ts';
import { DEPOT_KIND } from '../../shared/vcf/remote-depot/input.ts';
import type { RemoteDepotResult } from '../../shared/vcf/remote-depot/job.ts';
import type { DepotOutcome } from '../../shared/vcf/remote-depot/steps.ts';
import { DEPOT_TASK } from '../../shared/vcf/remote-depot/task.ts';
import { ButtonLink } from '../components/button.tsx';
import { type Fact, Facts } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import { duration } from '../components/time.tsx';
import { ContinueJob } from '../jobs/continue-job.tsx';
import { JobStateWord, ranFor } from '../jobs/job-words.tsx';
import { JobProgress, JobTimeline, StepList, StopJob } from '../jobs/job-work.tsx';
import { WhyItFailed } from '../jobs/why-it-failed.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';

interface Shown {
  job: Job;
  asks: Continuation | null;
}

export const page = definePage({
  id: 'remoteDepotTaskPage',
  path: `${DEPOT_TASK.path}/tasks/{job_id}`,
  current: DEPOT_TASK.above.href,
  access: { session: 'read:jobs' },
  params: idParam('job_id', 'Id of the job.'),
  async load({ db, params }): Promise<Shown> {
    const job = await findJob(db, params.job_id);
    if (job.kind !== DEPOT_KIND) throw notFound('This configuration of a depot');
    return { job, asks: await continuationOf(db, job) };
  },
  title: ({ job }) => jobWords(job),
  refreshes: ({ job }) => !ENDED.includes(job.state),
  view: Task,
});

const OUTCOMES: Record<DepotOutcome, string> = {
  'no-op': 'It had this depot already and uses it: nothing was changed on it.',
  synchronised: 'It had this depot already and uses it; it has fetched its metadata now.',
  configured: 'It takes its software from the depot of this appliance now.',
  replaced: 'It takes its software from the depot of this appliance now, no longer from',
  'written-again': 'The depot of this appliance was set once more, and works.',
};

function Task({ data: { job, asks }, state, outcome }: ViewProps<Shown>) {
  const result = job.result as RemoteDepotResult | null;
  return (
    <>
      <PageHead
        title={jobWords(job)}
        here={job.subject}
        trail={[DEPOT_TASK.above, { href: DEPOT_TASK.path, label: DEPOT_TASK.title }]}
      >
        <ButtonLink href={pagePath('job', job.id)}>The job</ButtonLink>
      </PageHead>
      <div data-live="jobs" id="job" data-done={ENDED.includes(job.state) ? 'true' : undefined}>
        <Facts facts={factsOf(job, state.now)} />
        <JobProgress job={job} />
        {result !== null && (
          <p>
            <State kind="ok">
              {OUTCOMES[result.outcome]} {result.before !== null && <code>{result.before}</code>}
            </State>
          </p>
        )}
        {job.error !== null && <Failed error={job.error} />}
        {asks !== null && <ContinueJob job={job} asks={asks} state={state} outcome={outcome} />}
        <JobTimeline job={job} now={state.now} continues={asks !== null} />
        <StepList job={job} now={state.now} />
        <StopJob job={job} state={state} what="Stop" />
      </div>
    </>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  remote_refused: 'The appliance can’t use the depot',
  remote_timeout: 'It did not end in time',
  remote_login_refused: 'The login was refused',
  remote_credential_gone: 'A password is missing',
  depot_replacement_unconfirmed: 'It has another depot',
  depot_unavailable: 'The depot here is not ready',
  certificate_changed: 'The certificate of the server is another one',
};

/** Worth another try from the first step. */
const AGAIN: readonly unknown[] = ['depot_replacement_unconfirmed', 'state_conflict', 'certificate_changed'];

function Failed({ error }: { error: NonNullable<Job['error']> }) {
  return (
    <WhyItFailed
      error={error}
      title={TITLES[error.error_code ?? ''] ?? error.title ?? 'The job failed'}
      ways={AGAIN.includes(error.error_code) ? [[DEPOT_TASK.path, 'Configure again']] : []}
      dialog={TRUST_TASK.path}
    />
  );
}

function factsOf(job: Job, now: string): Fact[] {
  const result = job.result as RemoteDepotResult | null;
  const took = ranFor(job, now);
  return [
    { label: 'State', value: <JobStateWord state={job.state} /> },
    ...(result === null
      ? []
      : [
          { label: 'Appliance', value: `${result.machine} ${result.version}` },
          { label: 'Depot', value: <code class="wrap">{result.depot}</code> },
        ]),
    { label: 'Started by', value: job.created_by },
    ...(took === null ? [] : [{ label: job.finished_at === null ? 'Runs for' : 'Took', value: duration(took) }]),
  ];
}
