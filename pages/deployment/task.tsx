// One deployment, from the manifest to the running service manager: how far it is, what it said, and what it left behind.

import { jobWords } from '../../shared/appliance/about-jobs.ts';
import { type Continuation, continuationOf } from '../../shared/appliance/continued-jobs.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { ENDED, type Job } from '../../shared/kernel/jobs/job.ts';
import { type DeploymentView, deploymentView, findDeployment } from '../../shared/vcf/deployment/view.ts';
import { DEPLOY_TASK } from '../../shared/vcf/deployment/wizard-task.ts';
import { ButtonLink } from '../components/button.tsx';
import { Facts } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import { duration, Instant } from '../components/time.tsx';
import { ContinueJob, NotContinued } from '../jobs/continue-job.tsx';
import { JobStateWord, ranFor, warningFacts } from '../jobs/job-words.tsx';
import { JobProgress, JobTimeline, StepList, StopJob } from '../jobs/job-work.tsx';
import { WhyItFailed } from '../jobs/why-it-failed.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';

interface Shown {
  job: Job;
  /** How it stands, and what it made. */
  made: DeploymentView;
  asks: Continuation | null;
}

export const page = definePage({
  id: 'sddcManagerTaskPage',
  path: `${DEPLOY_TASK.path}/tasks/{job_id}`,
  current: DEPLOY_TASK.above.href,
  access: { session: 'read:jobs' },
  params: idParam('job_id', 'Id of the job.'),
  load: async ({ db, params }): Promise<Shown> => {
    const { input, kept, ...job } = await findDeployment(db, params.job_id);
    return { job, made: deploymentView({ ...job, input, kept }), asks: await continuationOf(db, job) };
  },
  title: ({ job }) => jobWords(job),
  refreshes: ({ job }) => !ENDED.includes(job.state),
  view: Task,
});

function Task({ data: { job, made, asks }, state, outcome }: ViewProps<Shown>) {
  const took = ranFor(job, state.now);
  return (
    <>
      <PageHead title={jobWords(job)} trail={[DEPLOY_TASK.above]}>
        <ButtonLink href={pagePath('job', job.id)}>The job</ButtonLink>
      </PageHead>
      <NotContinued asks={asks} outcome={outcome} />
      <div data-live="jobs" id="job" data-done={ENDED.includes(job.state) ? 'true' : undefined}>
        <Facts
          facts={[
            { label: 'State', value: <JobStateWord state={job.state} result={job.result} /> },
            ...warningFacts(job),
            ...madeFacts(made),
            { label: 'Started by', value: job.created_by },
            { label: 'Began', value: <Instant at={job.started_at ?? job.created_at} now={state.now} /> },
            ...(took === null
              ? []
              : [{ label: job.finished_at === null ? 'Runs for' : 'Took', value: duration(took) }]),
          ]}
        />
        <JobProgress job={job} />
        {job.error !== null && <WhyItFailed error={job.error} title={job.error.title ?? 'The deployment failed'} />}
        {asks !== null && <ContinueJob job={job} asks={asks} state={state} outcome={outcome} />}
        <JobTimeline job={job} now={state.now} continues={asks !== null} />
        <StepList job={job} now={state.now} />
        <StopJob job={job} state={state} what="Stop the deployment" />
      </div>
    </>
  );
}

const POWER = { on: 'switched on', off: 'switched off', unknown: 'may be switched on' } as const;

const LEFT = {
  'partial-failure': 'The machine exists; not all that was asked for was done',
  'deployed-powered-off': 'The machine exists, switched off',
} as const;

function madeFacts({ state, server, machine, appliance, vm_preserved }: DeploymentView) {
  const left = LEFT[state as keyof typeof LEFT];
  return [
    { label: 'Target', value: <code>{server}</code> },
    ...(left === undefined ? [] : [{ label: 'Outcome', value: <State kind="warn">{left}</State> }]),
    ...(machine === null
      ? []
      : [
          {
            label: 'Machine',
            value: (
              <>
                <code>{machine.name}</code> on {machine.place}, {POWER[machine.power]}
                {vm_preserved && '; nothing of it was deleted'}
              </>
            ),
          },
        ]),
    ...(appliance === null
      ? []
      : [
          {
            label: 'Appliance',
            value: (
              <>
                {appliance.role} {appliance.version} at <code>{appliance.host}</code>
              </>
            ),
          },
          { label: 'Its certificate', value: <code class="wrap">{appliance.sha256}</code> },
        ]),
  ];
}
