// Adding a user.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { Form, FormActions, TextField } from '../components/form.tsx';
import { Refusal } from '../components/refusal.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { errorsOf } from './form-errors.ts';
import { PasswordField, RoleField } from './user-fields.tsx';

const USERS = pagePath('users');
const PATH = `${USERS}/new`;

export const page = definePage({
  id: 'newUserPage',
  path: PATH,
  current: USERS,
  access: { session: 'write:users' },
  load: async () => null,
  title: () => 'Add a user',
  view: NewUser,
});

function NewUser({ state, outcome }: ViewProps<null>) {
  const { errors, of } = errorsOf(outcome);
  const problem = outcome?.problem ?? null;
  const values = outcome?.values;
  return (
    <>
      <PageHead title="Add a user" trail={[{ href: USERS, label: 'Users' }]} />
      {problem && errors.length === 0 && <Refusal problem={problem} title="The user was not created" />}
      <ErrorSummary
        errors={errors}
        labels={{ name: 'Name', role: 'Role', password: 'Password', ...OWN_PASSWORD_LABEL }}
      />
      <Form action={PATH} csrf={state.csrf}>
        <TextField
          name="name"
          label="Name"
          value={values?.get('name') ?? ''}
          help="Lower-case letters, digits, dot, dash and underscore, beginning with a letter. It can’t be changed later."
          mono
          required
          maxlength={32}
          autocomplete="off"
          error={of('name') ?? (problem?.error_code === 'already_exists' ? problem.detail : undefined)}
        />
        <RoleField value={values?.get('role') ?? 'viewer'} error={of('role')} />
        <PasswordField keep={false} error={of('password')} />
        <OwnPasswordField error={of(OWN_PASSWORD)} />
        <FormActions note="The user may sign in at once. Nothing has to be applied.">
          <Button kind="primary">Add user</Button>
          <ButtonLink href={USERS}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}
