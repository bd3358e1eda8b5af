// How far a registration at a vCenter is: its steps and their words, what came of it, and the way out of a refusal.
import { jobWords } from '../../shared/appliance/about-jobs.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { ENDED, type Job } from '../../shared/kernel/jobs/job.ts';
import { KEY_PROVIDER_KIND } from '../../shared/vcf/key-provider/input.ts';
import type { KeyProviderResult } from '../../shared/vcf/key-provider/job.ts';
import { KEY_PROVIDER_TASK } from '../../shared/vcf/key-provider/task.ts';
import type { Fact } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import { WhyItFailed } from '../jobs/why-it-failed.tsx';
import { loadTask, type ShownTask, WizardTaskView } from '../jobs/wizard-task.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';

export const page = definePage({
  id: 'keyProviderTaskPage',
  path: `${KEY_PROVIDER_TASK.path}/tasks/{job_id}`,
  current: KEY_PROVIDER_TASK.above.href,
  access: { session: 'read:jobs' },
  params: idParam('job_id', 'Id of the job.'),
  load: ({ db, params }) => loadTask(db, params.job_id, KEY_PROVIDER_KIND, 'This registration'),
  title: ({ job }) => jobWords(job),
  refreshes: ({ job }) => !ENDED.includes(job.state),
  view: Task,
});

function Task(of: ViewProps<ShownTask>) {
  const result = of.data.job.result as KeyProviderResult | null;
  return (
    <WizardTaskView
      of={of}
      task={KEY_PROVIDER_TASK}
      facts={factsOf(result)}
      failed={(error) => <Failed error={error} />}
    >
      {result !== null && <Done of={result} opens={of.state.user.scopes.includes('read:kms')} />}
    </WizardTaskView>
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

const factsOf = (result: KeyProviderResult | null): Fact[] =>
  result === null ? [] : [{ label: 'vCenter', value: result.vcenter }];
