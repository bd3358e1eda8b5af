// The step between login and review: the LDAP that the organization has, and what it gets of the directory here.
import { accountsOf, type DirectoryHere, membersOf } from '../../shared/vcf/automation-ldap/local.ts';
import type { FoundThere } from '../../shared/vcf/automation-ldap/task.ts';
import type { WizardView } from '../../shared/vcf/remote/wizard-view.ts';
import { Button } from '../components/button.tsx';
import { type Fact, FactsList } from '../components/facts.tsx';
import { CheckField, FormActions, SelectField, TextField } from '../components/form.tsx';
import { ReadStored } from '../remote/common-steps.tsx';
import { Back, StepForm, type StepProps } from '../remote/wizard.tsx';

export interface DirectoryStepProps extends StepProps {
  here: DirectoryHere;
  /** The job that owns the settings, when the form was refused for it. */
  owner: string | null;
}

export const DIRECTORY_LABELS = {
  account: 'Bind account',
  group: 'Group',
  user: 'User',
  role: 'Role',
  replace: 'Replacement',
};
const L = DIRECTORY_LABELS;

export const serverFacts = ({ server, draft }: WizardView): Fact[] => [
  { label: 'Server', value: <code>{server}</code> },
  ...(draft?.appliance ? [{ label: 'Product', value: `${draft.appliance.title} ${draft.appliance.version}` }] : []),
];

export function presentFacts({ now, trusts_root }: FoundThere): Fact[] {
  const trust = { label: 'Our root certificate', value: trusts_root ? 'trusted already' : 'not trusted yet' };
  if (!now) return [{ label: 'LDAP', value: 'none' }, trust];
  return [
    { label: 'LDAP', value: now.enabled ? 'switched on' : 'switched off' },
    ...(now.source === '' ? [] : [{ label: 'Source', value: <code>{now.source}</code> }]),
    ...(now.url === '' ? [] : [{ label: 'Directory', value: <code>{now.url}</code> }]),
    ...(now.search_base === '' ? [] : [{ label: 'Search base', value: <code>{now.search_base}</code> }]),
    ...(now.user_name === '' ? [] : [{ label: 'Signs in as', value: <code>{now.user_name}</code> }]),
    trust,
  ];
}

export function DirectoryStep(props: DirectoryStepProps) {
  const { view, typed } = props;
  const { draft, stored } = view;
  if (!draft?.automation_ldap) return <ReadStored {...props} what="the LDAP settings and roles that it has" />;
  const { found, chosen } = draft.automation_ldap;
  return (
    <>
      <FactsList facts={serverFacts(view)} />
      <h3>LDAP that the organization has now</h3>
      <FactsList facts={presentFacts(found)} />
      <StepForm {...props} to="directory" label="Directory">
        <DirectoryFields {...props} />
        <SelectField
          name="role"
          label={L.role}
          value={typed.text('role', chosen?.role.id ?? '')}
          error={typed.of('role')}
          options={[
            { value: '', label: 'Choose a role' },
            ...found.roles.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          help="Every member of the group gets it in this organization."
        />
        {found.now && (
          <CheckField
            name="replace"
            value="yes"
            group={L.replace}
            label="Replace the LDAP that it has now"
            checked={typed.checked('replace', chosen?.replaces ?? false)}
            error={typed.of('replace')}
            help="Its users of that directory can’t sign in any more. Its bind password can’t be read: note it down before, to go back later."
          />
        )}
        <FormActions note="Nothing is changed yet, here or at VCF Automation.">
          <Button kind="primary">Review</Button>
          <Back view={view} to={stored ? 'credential' : 'login'} />
        </FormActions>
      </StepForm>
    </>
  );
}

function DirectoryFields({ view, here, typed }: DirectoryStepProps) {
  const chosen = view.draft?.automation_ldap?.chosen;
  const accounts = here.organizations.flatMap((one) => accountsOf(one).map(({ name }) => `${one.slug}/${name}`));
  const groups = here.organizations.flatMap((one) =>
    one.groups.filter(({ name }) => membersOf(one, name).length > 0).map(({ name }) => `${one.slug}/${name}`),
  );
  const options = (names: readonly string[]) => names.map((value) => ({ value, label: value }));
  return (
    <>
      <SelectField
        name="account"
        label={L.account}
        value={typed.text('account', chosen ? `${chosen.slug}/${chosen.account}` : accounts[0]!)}
        error={typed.of('account')}
        options={options(accounts)}
        help="VCF Automation signs in with it to look users up. One of its own can be taken away from it alone."
      />
      <SelectField
        name="group"
        label={L.group}
        value={typed.text('group', chosen ? `${chosen.slug}/${chosen.group}` : groups[0]!)}
        error={typed.of('group')}
        options={options(groups)}
        help="Of the same organization here. It is imported there; groups without a user who can sign in are not offered."
      />
      <TextField
        name="user"
        label={L.user}
        mono
        value={typed.text('user', chosen?.user ?? '')}
        error={typed.of('user')}
        required
        maxlength={128}
        help="A member of the group who signs in there at the end: the only proof that it works."
      />
    </>
  );
}
