// Asks before a depot user is deleted.
import { type DepotUser, depotUserParams, findDepotUser } from '../../shared/services/offline-depot/users.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { type LastSave, lastSaveOf, Refused, StaleForm, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { DEPOT, userHref } from './depot-words.tsx';

interface Data {
  user: DepotUser;
  last: LastSave | null;
}

export const page = definePage({
  id: 'deleteDepotUserPage',
  path: `${DEPOT.href}/users/{http_user_id}/delete`,
  current: DEPOT.href,
  access: { session: 'write:depot' },
  params: depotUserParams,
  async load({ db, params, outcome }): Promise<Data> {
    const user = await findDepotUser(db, params.http_user_id);
    return { user, last: await lastSaveOf(db, outcome, { type: 'depot_user', id: user.id }) };
  },
  title: ({ user }) => `Delete ${user.name}`,
  view({ data: { user, last }, state, outcome }) {
    const { id, name, revision, selected } = user;
    const typed = typedInto('deleteDepotUserForm', outcome);
    return (
      <>
        <PageHead
          trail={[DEPOT, { href: userHref(id), label: <code>{name}</code> }]}
          here="Delete"
          title={
            <>
              Delete <span class="mono">{name}</span>?
            </>
          }
        />
        <Refused typed={typed} labels={{}} />
        <StaleForm typed={typed} name={name} revision={revision} last={last} saved={[]} now={state.now} />
        <p>
          {selected
            ? 'The settings of the depot use this account. Choose another one there first.'
            : 'Appliances that still use this account can no longer log in.'}
        </p>
        <Form action={`${userHref(id)}/delete`} csrf={state.csrf} revision={revision} label={`Delete ${name}`}>
          <FormActions>
            <Button kind="bad" unavailable={selected ? 'The settings choose it' : undefined}>
              Delete depot user
            </Button>
            <ButtonLink href={userHref(id)}>Keep it</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
