// How far a configuration of an appliance's depot is: its steps and their words, what came of it, and the way out of a
// refusal.

import { jobWords } from '../../shared/appliance/about-jobs.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { ENDED, type Job } from '../../shared/kernel/jobs/job.ts';
import { TRUST_TASK } from '../../shared/vcf/remote/wizard.ts';
import { DEPOT_KIND } from '../../shared/vcf/remote-depot/input.ts';
import type { RemoteDepotResult } from '../../shared/vcf/remote-depot/job.ts';
import type { DepotOutcome } from '../../shared/vcf/remote-depot/steps.ts';
import { DEPOT_TASK } from '../../shared/vcf/remote-depot/task.ts';
import type { Fact } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import { WhyItFailed } from '../jobs/why-it-failed.tsx';
import { loadTask, type ShownTask, WizardTaskView } from '../jobs/wizard-task.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';

export const page = definePage({
  id: 'remoteDepotTaskPage',
  path: `${DEPOT_TASK.path}/tasks/{job_id}`,
  current: DEPOT_TASK.above.href,
  access: { session: 'read:jobs' },
  params: idParam('job_id', 'Id of the job.'),
  load: ({ db, params }) => loadTask(db, params.job_id, DEPOT_KIND, 'This configuration of a depot'),
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

function Task(of: ViewProps<ShownTask>) {
  const result = of.data.job.result as RemoteDepotResult | null;
  return (
    <WizardTaskView of={of} task={DEPOT_TASK} facts={factsOf(result)} failed={(error) => <Failed error={error} />}>
      {result !== null && (
        <p>
          <State kind="ok">
            {OUTCOMES[result.outcome]} {result.before !== null && <code>{result.before}</code>}
          </State>
        </p>
      )}
    </WizardTaskView>
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

const factsOf = (result: RemoteDepotResult | null): Fact[] =>
  result === null
    ? []
    : [
        { label: 'Appliance', value: `${result.machine} ${result.version}` },
        { label: 'Depot', value: <code class="wrap">{result.depot}</code> },
      ];
