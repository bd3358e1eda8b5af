// How far mounting on hosts is: a step for each, with what it said.
import { jobWords } from '../../shared/appliance/about-jobs.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { ENDED, type Job } from '../../shared/kernel/jobs/job.ts';
import { MOUNT_KIND } from '../../shared/vcf/datastore-mount/input.ts';
import type { MountResult } from '../../shared/vcf/datastore-mount/job.ts';
import { MOUNT_TASK } from '../../shared/vcf/datastore-mount/task.ts';
import type { Fact } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import { WhyItFailed } from '../jobs/why-it-failed.tsx';
import { loadTask, type ShownTask, WizardTaskView } from '../jobs/wizard-task.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';

export const page = definePage({
  id: 'datastoreMountTaskPage',
  path: `${MOUNT_TASK.path}/tasks/{job_id}`,
  current: MOUNT_TASK.above.href,
  access: { session: 'read:jobs' },
  params: idParam('job_id', 'Id of the job.'),
  load: ({ db, params }) => loadTask(db, params.job_id, MOUNT_KIND, 'This task'),
  title: ({ job }) => jobWords(job),
  refreshes: ({ job }) => !ENDED.includes(job.state),
  view: Task,
});

function Task(of: ViewProps<ShownTask>) {
  const result = of.data.job.result as MountResult | null;
  return (
    <WizardTaskView of={of} task={MOUNT_TASK} facts={factsOf(result)} failed={(error) => <Failed error={error} />}>
      {result !== null && (
        <p>
          <State kind="ok">
            {result.datastore} is {result.action === 'mount' ? 'mounted on' : 'unmounted from'} {result.hosts.length}{' '}
            {result.hosts.length === 1 ? 'host' : 'hosts'}.
          </State>
        </p>
      )}
    </WizardTaskView>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  remote_refused: 'Not every host did it',
  remote_timeout: 'It did not end in time',
  remote_login_refused: 'The login was refused',
  remote_credential_gone: 'A password is missing',
  certificate_changed: 'The certificate of the server is another one',
};

function Failed({ error }: { error: NonNullable<Job['error']> }) {
  return (
    <WhyItFailed
      error={error}
      title={TITLES[error.error_code ?? ''] ?? error.title ?? 'The job failed'}
      ways={[[MOUNT_TASK.path, 'Go through the steps again']]}
    />
  );
}

const factsOf = (result: MountResult | null): Fact[] =>
  result === null ? [] : [{ label: 'Datastore', value: result.datastore }];
