// How far the LDAP settings of VCF Automation are: the steps and their words, what came of it, and the way out of a refusal.
import { jobWords } from '../../shared/appliance/about-jobs.ts';
import { type Continuation, continuationOf } from '../../shared/appliance/continued-jobs.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { notFound } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { ENDED, findJob, type Job } from '../../shared/kernel/jobs/job.ts';
import { AUTOMATION_LDAP_KIND } from '../../shared/vcf/automation-ldap/input.ts';
import type { AutomationLdapResult } from '../../shared/vcf/automation-ldap/job.ts';
import { AUTOMATION_LDAP_TASK } from '../../shared/vcf/automation-ldap/task.ts';
import { ButtonLink } from '../components/button.tsx';
import { Facts } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import { ContinueJob } from '../jobs/continue-job.tsx';
import { JobStateWord } from '../jobs/job-words.tsx';
import { JobProgress, JobTimeline, StepList, StopJob } from '../jobs/job-work.tsx';
import { WhyItFailed } from '../jobs/why-it-failed.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';

interface Shown {
  job: Job;
  asks: Continuation | null;
}

const { above, path, title } = AUTOMATION_LDAP_TASK;

export const page = definePage({
  id: 'automationLdapTaskPage',
  path: `${path}/tasks/{job_id}`,
  current: above.href,
  access: { session: 'read:jobs' },
  params: idParam('job_id', 'Id of the job.'),
  async load({ db, params }): Promise<Shown> {
    const job = await findJob(db, params.job_id);
    if (job.kind !== AUTOMATION_LDAP_KIND) throw notFound('This job');
    return { job, asks: await continuationOf(db, job) };
  },
  title: ({ job }) => jobWords(job),
  refreshes: ({ job }) => !ENDED.includes(job.state),
  view: Task,
});

function Task({ data: { job, asks }, state, outcome }: ViewProps<Shown>) {
  const result = job.result as AutomationLdapResult | null;
  const ended = ENDED.includes(job.state);
  return (
    <>
      <PageHead title={jobWords(job)} here={job.subject} trail={[above, { href: path, label: title }]}>
        <ButtonLink href={pagePath('job', job.id)}>The job</ButtonLink>
      </PageHead>
      <div data-live="jobs" id="job" data-done={ended ? 'true' : undefined}>
        <Facts
          facts={[
            { label: 'State', value: <JobStateWord state={job.state} /> },
            ...(result === null ? [] : [{ label: 'Directory', value: <code>{result.directory}</code> }]),
            { label: 'Started by', value: job.created_by },
          ]}
        />
        <JobProgress job={job} />
        {result !== null && <Done of={result} />}
        {job.error !== null && (
          <WhyItFailed
            error={job.error}
            title={TITLES[job.error.error_code ?? ''] ?? job.error.title ?? 'The job failed'}
            ways={[[path, 'Go through the steps again']]}
          />
        )}
        {asks !== null && <ContinueJob job={job} asks={asks} state={state} outcome={outcome} />}
        <JobTimeline job={job} now={state.now} continues={asks !== null} />
        <StepList job={job} now={state.now} />
        <StopJob job={job} state={state} what="Stop" />
      </div>
    </>
  );
}

const Done = ({ of: { organization, user, group, role } }: { of: AutomationLdapResult }) => (
  <p>
    <State kind="ok">
      Users of the group {group} sign in to the organization {organization} with the role {role}; {user} just did.
    </State>
  </p>
);

const TITLES: Readonly<Record<string, string>> = {
  remote_refused: 'VCF Automation refused something',
  remote_timeout: 'It did not end in time',
  remote_login_refused: 'The login was refused',
  remote_credential_gone: 'A password is missing',
  state_conflict: 'Something changed since the review',
  certificate_changed: 'The certificate of the server is another one',
};
