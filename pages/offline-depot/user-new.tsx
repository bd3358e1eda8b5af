// Adding a depot user.
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../shared/kernel/access/password.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { FieldGroup, Form, FormActions, TextField } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, type Typed, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { DEPOT, USER_LABELS } from './depot-words.tsx';

const PATH = `${DEPOT.href}/users/new`;

/** Never filled in again. */
export function PasswordField({ typed, label = USER_LABELS.password }: { typed: Typed; label?: string }) {
  return (
    <TextField
      name="password"
      label={label}
      type="password"
      value=""
      help={`At least ${PASSWORD_MIN_LENGTH} characters. Nobody can read it again: note it where appliances are configured.`}
      maxlength={PASSWORD_MAX_LENGTH}
      autocomplete="new-password"
      required
      error={typed.of('password')}
    />
  );
}

export const page = definePage({
  id: 'newDepotUserPage',
  path: PATH,
  current: DEPOT.href,
  access: { session: 'write:depot' },
  load: async () => null,
  title: () => 'Add a depot user',
  view({ state, outcome }) {
    const typed = typedInto('createDepotUserForm', outcome);
    return (
      <>
        <PageHead
          title="Add a depot user"
          trail={[DEPOT]}
          intro="An account for the depot only. It cannot use these pages or the API."
        />
        <Refused typed={typed} labels={USER_LABELS} />
        <Form action={PATH} csrf={state.csrf} label="New depot user">
          <FieldGroup legend="Depot user">
            <TextField
              name="name"
              label={USER_LABELS.name}
              value={typed.text('name', '')}
              help="Lower-case letters, digits, dots, hyphens and underscores."
              placeholder="depot"
              maxlength={64}
              autocomplete="off"
              mono
              required
              error={typed.of('name')}
            />
            <PasswordField typed={typed} />
          </FieldGroup>
          <FormActions note="The user is created immediately. It can read the depot once settings that select it are applied.">
            <Button kind="primary">Add depot user</Button>
            <ButtonLink href={DEPOT.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
