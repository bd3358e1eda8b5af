// The last step: what changes at VCF Automation, the login once more, and the two passwords of the directory.
import { organizationHere } from '../../shared/vcf/automation-ldap/local.ts';
import { taskHref } from '../../shared/vcf/automation-ldap/task.ts';
import { reviewMark } from '../../shared/vcf/remote/draft.ts';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { FormActions, HiddenField } from '../components/form.tsx';
import { LastLogin } from '../remote/common-steps.tsx';
import { PasswordField } from '../remote/password-field.tsx';
import { Back, StepForm } from '../remote/wizard.tsx';
import { type DirectoryStepProps, presentFacts, serverFacts } from './step.tsx';

export const REVIEW_LABELS = { bind_password: 'Password of the bind account', user_password: 'Password of the user' };

export function DirectoryReview(props: DirectoryStepProps) {
  const { view, typed, here, owner } = props;
  const { draft, task, trusted } = view;
  const { found, chosen } = draft?.automation_ldap ?? {};
  if (!draft || !found || !chosen) return null;
  const { slug, account, group, user, role, replaces } = chosen;
  return (
    <>
      {owner !== null && (
        <p>
          <ButtonLink href={taskHref(owner)}>Open the job that owns these settings</ButtonLink>
        </p>
      )}
      <h3>At VCF Automation</h3>
      <FactsList
        facts={[
          ...serverFacts(view),
          { label: 'Its certificate', value: <code class="wrap">{trusted?.sha256}</code> },
          ...presentFacts(found),
        ]}
      />
      <h3>What it gets</h3>
      <FactsList
        facts={[
          { label: 'Directory', value: <code>{`ldaps://${here.host}:${here.port}`}</code> },
          { label: 'Trusted root', value: <code class="wrap">{here.root.sha256}</code> },
          { label: 'Search base', value: <code>{organizationHere(here, slug)?.suffix}</code> },
          { label: 'Signs in as', value: <code>{account}</code> },
          { label: 'Imported group', value: <code>{group}</code> },
          { label: 'Role of the group', value: role.name },
          { label: 'Signs in at the end', value: <code>{user}</code> },
        ]}
      />
      {replaces && (
        <Note icon="warn">
          The LDAP that it has now is replaced. If something fails, its settings are written back, all but the bind
          password, which nobody can read.
        </Note>
      )}
      <StepForm {...props} to="configure" label="Configure">
        <HiddenField name="reviewed" value={reviewMark(task, draft)} />
        <LastLogin {...props} />
        <PasswordField
          name="bind_password"
          label={REVIEW_LABELS.bind_password}
          typed={typed}
          help={`Of ${account} here. VCF Automation keeps it. It is compared here before anything is sent.`}
        />
        <PasswordField
          name="user_password"
          label={REVIEW_LABELS.user_password}
          typed={typed}
          help={`Of ${user} here, for one sign-in at VCF Automation. It is compared here before anything is sent.`}
        />
        <FormActions note="Runs as a job: it trusts the root, has the directory tested, and only then writes the settings. If it fails before the user has signed in, what was done there is taken back. Typed passwords stay in memory until the job ends.">
          <Button kind="primary">{replaces ? 'Replace the LDAP settings' : 'Set the LDAP settings'}</Button>
          <Back view={view} to="directory" />
        </FormActions>
      </StepForm>
    </>
  );
}
