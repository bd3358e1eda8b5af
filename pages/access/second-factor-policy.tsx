// Which roles must have a second factor.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ROLES } from '../../shared/kernel/access/scopes.ts';
import {
  findPolicy,
  type SecondFactorPolicy,
  USER_VERIFICATIONS,
} from '../../shared/kernel/access/second-factor/policy.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { CheckGroup, Form, FormActions, RadioField } from '../components/form.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { editedFrom, mayOnlyRead, Refused, type SavedField, StaleForm, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ROLE_WORDS } from './user-fields.tsx';

const PATH = `${pagePath('users')}/second-factor-policy`;
const USERS = pagePath('users');
const LABELS = { roles: 'Roles', user_verification: 'Passkeys', ...OWN_PASSWORD_LABEL };
const VERIFICATION_WORDS = {
  preferred: 'ask for PIN, finger or face where the key can',
  required: 'refuse a key that did not check PIN, finger or face',
} as const;

export const page = definePage({
  id: 'secondFactorPolicyPage',
  path: PATH,
  current: USERS,
  access: { session: 'read:users' },
  load: ({ db }) => findPolicy(db),
  title: () => 'Second factor policy',
  view: Policy,
});

function Policy({ data: policy, state, outcome }: ViewProps<SecondFactorPolicy>) {
  const typed = typedInto('updateSecondFactorPolicyForm', outcome);
  const chosen = typed.all('roles', policy.roles);
  const may = state.user.scopes.includes('write:users');
  const saved: SavedField[] = [
    [LABELS.roles, 'roles', policy.roles],
    [LABELS.user_verification, 'user_verification', policy.user_verification],
  ];
  return (
    <>
      <PageHead
        title="Second factor policy"
        intro="Anyone may use a second factor. Users of the chosen roles must set one up at their next sign-in."
        trail={[{ href: USERS, label: 'Users' }]}
      />
      <Refused typed={typed} labels={LABELS} />
      <StaleForm typed={typed} name="The policy" revision={policy.revision} last={null} saved={saved} now={state.now} />
      <Form action={PATH} csrf={state.csrf} {...editedFrom(typed, policy.revision, saved)}>
        <CheckGroup
          name="roles"
          label={LABELS.roles}
          values={chosen}
          options={ROLES.map((role) => ({ value: role, label: `${role}: ${ROLE_WORDS[role]}` }))}
          error={typed.of('roles')}
        />
        <RadioField
          name="user_verification"
          label={LABELS.user_verification}
          value={typed.text('user_verification', policy.user_verification)}
          options={USER_VERIFICATIONS.map((value) => ({ value, label: `${value}: ${VERIFICATION_WORDS[value]}` }))}
          error={typed.of('user_verification')}
        />
        <OwnPasswordField error={typed.of(OWN_PASSWORD)} />
        <FormActions note="Sessions and API tokens that are there go on.">
          <Button kind="primary" unavailable={may ? undefined : mayOnlyRead('users')}>
            Save policy
          </Button>
          <ButtonLink href={USERS}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}
