// How far the LDAP settings of VCF Automation are: the steps and their words, what came of it, and the way out of a refusal.
import { jobWords } from '../../shared/appliance/about-jobs.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { ENDED } from '../../shared/kernel/jobs/job.ts';
import { AUTOMATION_LDAP_KIND } from '../../shared/vcf/automation-ldap/input.ts';
import type { AutomationLdapResult } from '../../shared/vcf/automation-ldap/job.ts';
import { AUTOMATION_LDAP_TASK } from '../../shared/vcf/automation-ldap/task.ts';
import type { Fact } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import { WhyItFailed } from '../jobs/why-it-failed.tsx';
import { loadTask, type ShownTask, WizardTaskView } from '../jobs/wizard-task.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';

export const page = definePage({
  id: 'automationLdapTaskPage',
  path: `${AUTOMATION_LDAP_TASK.path}/tasks/{job_id}`,
  current: AUTOMATION_LDAP_TASK.above.href,
  access: { session: 'read:jobs' },
  params: idParam('job_id', 'Id of the job.'),
  load: ({ db, params }) => loadTask(db, params.job_id, AUTOMATION_LDAP_KIND, 'This job'),
  title: ({ job }) => jobWords(job),
  refreshes: ({ job }) => !ENDED.includes(job.state),
  view: Task,
});

function Task(of: ViewProps<ShownTask>) {
  const result = of.data.job.result as AutomationLdapResult | null;
  return (
    <WizardTaskView
      of={of}
      task={AUTOMATION_LDAP_TASK}
      facts={factsOf(result)}
      failed={(error) => (
        <WhyItFailed
          error={error}
          title={TITLES[error.error_code ?? ''] ?? error.title ?? 'The job failed'}
          ways={[[AUTOMATION_LDAP_TASK.path, 'Go through the steps again']]}
        />
      )}
    >
      {result !== null && <Done of={result} />}
    </WizardTaskView>
  );
}

const factsOf = (result: AutomationLdapResult | null): Fact[] =>
  result === null ? [] : [{ label: 'Directory', value: <code>{result.directory}</code> }];

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
