// Asks before a user is removed, and says what ends with the user.

import { pagePath } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { type CredentialCounts, countCredentials } from '../../shared/kernel/access/credentials.ts';
import { credentialWords } from '../../shared/kernel/access/ended-words.ts';
import { findUser, type User } from '../../shared/kernel/access/user.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { type LastSave, lastSaveOf, Refused, StaleForm, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';

const USERS = pagePath('users');

interface Data {
  user: User;
  has: CredentialCounts;
  last: LastSave | null;
}

export const page = definePage({
  id: 'deleteUserPage',
  path: `${USERS}/{user_id}/delete`,
  current: USERS,
  access: { session: 'write:users' },
  params: idParam('user_id', 'Id of the user.'),
  async load({ db, params, now, outcome }): Promise<Data> {
    const user = await findUser(db, params.user_id);
    const has = await countCredentials(db, user.id, now);
    return { user, has, last: await lastSaveOf(db, outcome, { type: 'user', id: user.id }) };
  },
  title: ({ user }) => `Delete ${user.name}`,
  view({ data: { user, has, last }, state, outcome }) {
    const { id, name, revision } = user;
    const href = `${USERS}/${encodeURIComponent(id)}`;
    const typed = typedInto('deleteUserForm', outcome);
    return (
      <>
        <PageHead
          trail={[
            { href: USERS, label: 'Users' },
            { href, label: <code>{name}</code> },
          ]}
          here="Delete"
          title={
            <>
              Delete <span class="mono">{name}</span>?
            </>
          }
        />
        <Refused typed={typed} labels={OWN_PASSWORD_LABEL} />
        <StaleForm typed={typed} name={name} revision={revision} last={last} saved={[]} now={state.now} />
        <p>
          The user has {credentialWords(has)}, which stop working at once and are removed. The audit log keeps the name.
        </p>
        <Form action={`${href}/delete`} csrf={state.csrf} revision={revision} label={`Delete ${name}`}>
          <OwnPasswordField error={typed.of(OWN_PASSWORD)} />
          <FormActions>
            <Button kind="bad">Delete user</Button>
            <ButtonLink href={href}>Keep it</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
