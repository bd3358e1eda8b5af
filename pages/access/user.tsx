// Changing or removing a user.

import { pagePath } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { type CredentialCounts, countCredentials } from '../../shared/kernel/access/credentials.ts';
import { credentialWords } from '../../shared/kernel/access/ended-words.ts';
import { listFactors, type SecondFactor } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { findUser, type User } from '../../shared/kernel/access/user.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Name } from '../components/code.tsx';
import { Facts } from '../components/facts.tsx';
import { CheckField, Form, FormActions, HiddenField } from '../components/form.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import {
  editedFrom,
  type LastSave,
  lastSaveOf,
  Refused,
  type SavedField,
  StaleForm,
  typedInto,
  withLost,
} from '../layout/form-state.tsx';
import { ACCOUNT_PATH } from '../layout/navigation.ts';
import { PageHead } from '../layout/shell.tsx';
import { factorLine } from './factor-words.ts';
import { PasswordField, RoleField } from './user-fields.tsx';

const USERS = pagePath('users');
const LABELS = { role: 'Role', password: 'New password', keep_tokens: 'Keep the API tokens', ...OWN_PASSWORD_LABEL };

interface Data {
  user: User;
  /** Sessions and tokens that work now. */
  has: CredentialCounts;
  factors: SecondFactor[];
  last: LastSave | null;
}

export const page = definePage({
  id: 'userPage',
  path: `${USERS}/{user_id}`,
  current: USERS,
  access: { session: 'read:users' },
  params: idParam('user_id', 'Id of the user.'),
  async load({ db, params, now, outcome }): Promise<Data> {
    const user = await findUser(db, params.user_id);
    const last = await lastSaveOf(db, outcome, { type: 'user', id: user.id });
    const factors = await listFactors(db, user.id);
    return { user, has: await countCredentials(db, user.id, now), factors, last };
  },
  title: ({ user }) => user.name,
  view: UserView,
});

function UserView({ data: { user, has, factors, last }, state, outcome }: ViewProps<Data>) {
  const path = `${USERS}/${encodeURIComponent(user.id)}`;
  const typed = withLost(typedInto('updateUserForm', outcome));
  const { of } = typed;
  const fields: SavedField[] = [
    [LABELS.role, 'role', user.role],
    ['Enabled', 'enabled', user.enabled],
  ];
  const itself = user.name === state.user.name;
  return (
    <>
      <PageHead title={<Name>{user.name}</Name>} trail={[{ href: USERS, label: 'Users' }]}>
        <ButtonLink href={`${path}/delete`}>Delete user</ButtonLink>
      </PageHead>
      <Refused typed={typed} labels={LABELS} />
      <StaleForm typed={typed} name={user.name} revision={user.revision} last={last} saved={fields} now={state.now} />
      <Facts
        facts={[
          { label: 'Created', value: <Instant at={user.created_at} now={state.now} /> },
          { label: 'Changed', value: <Instant at={user.updated_at} now={state.now} /> },
          { label: 'Revision', value: user.revision },
          {
            label: 'Sessions and tokens',
            value: <a href={`${pagePath('user', user.id)}/sessions`}>{credentialWords(has)}</a>,
          },
          {
            label: 'Second factors',
            value:
              factors.length === 0 ? (
                'none'
              ) : (
                <a href={`${pagePath('user', user.id)}/second-factors`}>{factorLine(factors)}</a>
              ),
          },
        ]}
      />
      <Form action={path} csrf={state.csrf} {...editedFrom(typed, user.revision, fields)}>
        {user.external ? (
          <>
            <HiddenField name="role" value={user.role} />
            <p>
              This user signs in at the external provider: there is no password here, and the role{' '}
              <code>{user.role}</code> follows the groups there at each sign-in. Deleting the user does not bar the way
              back; disabling does.
            </p>
          </>
        ) : (
          <RoleField value={typed.text('role', user.role)} error={of('role')} />
        )}
        <CheckField
          name="enabled"
          group="Enabled"
          label="Let this user sign in"
          help={`Disabling the user ends ${credentialWords(has)} for good, and all sessions at the OpenID Connect provider. Enabling the user again does not bring the tokens back.`}
          checked={typed.checked('enabled', user.enabled)}
          error={of('enabled')}
        />
        {!user.external && <PasswordField keep error={of('password')} />}
        {has.tokens > 0 && (
          <CheckField
            name="keep_tokens"
            label="Keep the API tokens"
            help={`Otherwise a new password ends ${has.tokens === 1 ? 'the user’s API token' : `the user’s ${has.tokens} API tokens`}.`}
            checked={typed.checked('keep_tokens', false)}
            error={of('keep_tokens')}
          />
        )}
        <OwnPasswordField error={of(OWN_PASSWORD)} />
        <FormActions
          note={
            <>
              {itself ? (
                <>
                  Saving a change ends your own sessions: sign in again afterwards. To change only your password, use{' '}
                  <a href={ACCOUNT_PATH}>your account</a>.
                </>
              ) : (
                'Saving a change ends the user’s sessions, also those at the OpenID Connect provider.'
              )}{' '}
              With a new role the API tokens stay, and reach no further than it.
            </>
          }
        >
          <Button kind="primary">Save user</Button>
          <ButtonLink href={USERS}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}
