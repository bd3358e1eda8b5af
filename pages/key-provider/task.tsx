// How far a registration at a vCenter is: its steps and their words, what came of it, and the way out of a refusal.
import { jobWords } from '../../shared/appliance/about-jobs.ts';
import { type Continuation, continuationOf } from '../../shared/appliance/continued-jobs.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { notFound } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { ENDED, findJob, type Job } from '../../shared/kernel/jobs/job.ts';
import { KEY_PROVIDER_KIND } from '../../shared/vcf/key-provider/input.ts';
import type { KeyProviderResult } from '../../shared/vcf/key-provider/job.ts';
import { KEY_PROVIDER_TASK } from '../../shared/vcf/key-provider/task.ts';
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
  id: 'keyProviderTaskPage',
  path: `${KEY_PROVIDER_TASK.path}/tasks/{job_id}`,
  current: KEY_PROVIDER_TASK.above.href,
  access: { session: 'read:jobs' },
  params: idParam('job_id', 'Id of the job.'),
  async load({ db, params }): Promise<Shown> {
    const job = await findJob(db, params.job_id);
    if (job.kind !== KEY_PROVIDER_KIND) throw notFound('This registration');
    return { job, asks: await continuationOf(db, job) };
  },
  title: ({ job }) => jobWords(job),
  refreshes: ({ job }) => !ENDED.includes(job.state),
  view: Task,
});

function Task({ data: { job, asks }, state, outcome }: ViewProps<Shown>) {
  const result = job.result as KeyProviderResult | null;
  return (
    <>
      <PageHead
        title={jobWords(job)}
        here={job.subject}
        trail={[KEY_PROVIDER_TASK.above, { href: KEY_PROVIDER_TASK.path, label: KEY_PROVIDER_TASK.title }]}
      >
        <ButtonLink href={pagePath('job', job.id)}>The job</ButtonLink>
      </PageHead>
      <div data-live="jobs" id="job" data-done={ENDED.includes(job.state) ? 'true' : undefined}>
        <Facts facts={factsOf(job, state.now)} />
        <JobProgress job={job} />
        {result !== null && <Done of={result} opens={state.user.scopes.includes('read:kms')} />}
        {job.error !== null && <Failed error={job.error} />}
        {asks !== null && <ContinueJob job={job} asks={asks} state={state} outcome={outcome} />}
        <JobTimeline job={job} now={state.now} continues={asks !== null} />
        <StepList job={job} now={state.now} />
        <StopJob job={job} state={state} what="Stop" />
      </div>
    </>
  );
}

/** `opens`: the reader may open pages of key management. */
function Done({ of, opens }: { of: KeyProviderResult; opens: boolean }) {
  const { cluster, provider, provider_id, client_id, is_default } = of;
  const client = opens ? <a href={pagePath('kms-client', client_id)}>client</a> : 'client';
  const named = opens ? <a href={pagePath('kms-provider', provider_id)}>{provider}</a> : provider;
  return (
    <>
      <p>
        <State kind="ok">
          The vCenter is connected to the key provider {cluster}
          {is_default ? ', which is its default now.' : '.'}
        </State>
      </p>
      <p>
        Here it is a {client} of the provider {named}. When the KMIP server gets a new certificate, the vCenter may have
        to trust it again.
      </p>
    </>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  remote_refused: 'The vCenter can’t use the KMIP server',
  remote_timeout: 'It did not end in time',
  remote_login_refused: 'The login was refused',
  remote_credential_gone: 'A password is missing',
  already_exists: 'The name is taken',
  state_conflict: 'Something changed since the review',
  certificate_changed: 'The certificate of the server is another one',
};

function Failed({ error }: { error: NonNullable<Job['error']> }) {
  return (
    <WhyItFailed
      error={error}
      title={TITLES[error.error_code ?? ''] ?? error.title ?? 'The job failed'}
      ways={[[KEY_PROVIDER_TASK.path, 'Go through the steps again']]}
    />
  );
}

function factsOf(job: Job, now: string): Fact[] {
  const result = job.result as KeyProviderResult | null;
  const took = ranFor(job, now);
  return [
    { label: 'State', value: <JobStateWord state={job.state} /> },
    ...(result === null ? [] : [{ label: 'vCenter', value: result.vcenter }]),
    { label: 'Started by', value: job.created_by },
    ...(took === null ? [] : [{ label: job.finished_at === null ? 'Runs for' : 'Took', value: duration(took) }]),
  ];
}
