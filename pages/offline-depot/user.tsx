// A depot user: setting another password, and the way to delete it.
import { type DepotUser, depotUserParams, findDepotUser } from '../../shared/services/offline-depot/users.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { FieldGroup, Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { type LastSave, lastSaveOf, Refused, StaleForm, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { DEPOT, USER_LABELS, userHref } from './depot-words.tsx';
import { PasswordField } from './user-new.tsx';

interface Data {
  user: DepotUser;
  last: LastSave | null;
}

export const page = definePage({
  id: 'depotUserPage',
  path: `${DEPOT.href}/users/{http_user_id}`,
  current: DEPOT.href,
  access: { session: 'write:depot' },
  params: depotUserParams,
  async load({ db, params, outcome }): Promise<Data> {
    const user = await findDepotUser(db, params.http_user_id);
    return { user, last: await lastSaveOf(db, outcome, { type: 'depot_user', id: user.id }) };
  },
  title: ({ user }) => user.name,
  view({ data: { user, last }, state, outcome }) {
    const { id, name, revision, selected } = user;
    const typed = typedInto('updateDepotUserForm', outcome);
    return (
      <>
        <PageHead
          title={
            <>
              Depot user <span class="mono">{name}</span>
            </>
          }
          trail={[DEPOT]}
          here={<code>{name}</code>}
          intro={
            selected
              ? 'The settings choose it: appliances log in with it.'
              : 'The settings do not choose it: it has no access.'
          }
        >
          <ButtonLink href={`${userHref(id)}/delete`}>Delete depot user</ButtonLink>
        </PageHead>
        <Refused typed={typed} labels={USER_LABELS} />
        <StaleForm typed={typed} name={name} revision={revision} last={last} saved={[]} now={state.now} />
        <Form action={userHref(id)} csrf={state.csrf} revision={revision} label={`Password of ${name}`}>
          <FieldGroup legend="Password">
            <PasswordField typed={typed} label="New password" />
          </FieldGroup>
          <FormActions note="Takes effect with the next request. Appliances that still use the old password are refused until they are configured again.">
            <Button kind="primary">Set password</Button>
            <ButtonLink href={DEPOT.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
