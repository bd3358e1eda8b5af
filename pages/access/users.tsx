// The users: who may sign in, with which role.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { type FactorKind, factorKinds } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { listUsers, type User } from '../../shared/kernel/access/user.ts';
import { ButtonLink } from '../components/button.tsx';
import { Enabled } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { FACTOR_WORDS } from './factor-words.ts';
import { ROLE_WORDS } from './user-fields.tsx';

const PATH = pagePath('users');

export const page = definePage({
  id: 'usersPage',
  path: PATH,
  access: { session: 'read:users' },
  load: async ({ db }): Promise<Users> => ({ users: (await listUsers(db)).items, kinds: await factorKinds(db) }),
  title: () => 'Users',
  view: UsersView,
});

interface Users {
  users: User[];
  /** Of second factors, by user. */
  kinds: ReadonlyMap<string, readonly FactorKind[]>;
}

function UsersView({ data: { users, kinds }, state }: ViewProps<Users>) {
  const href = ({ id }: User) => `${PATH}/${encodeURIComponent(id)}`;
  return (
    <>
      <PageHead title="Users" intro="Who may sign in. Each user has one role; the user’s tokens never go beyond it.">
        <ButtonLink href={`${pagePath('users')}/second-factor-policy`}>Who must have a second factor</ButtonLink>
        <ButtonLink href={pagePath('sign-in-provider')}>External sign-in</ButtonLink>
        <ButtonLink kind="primary" icon="plus" href={`${PATH}/new`}>
          Add user
        </ButtonLink>
      </PageHead>
      <DataTable
        caption="Users by name"
        columns={[
          {
            key: 'name',
            label: 'Name',
            look: 'code',
            cell: (user) => (
              <>
                <a href={href(user)}>{user.name}</a>
                {user.name === state.user.name && <span class="muted"> (you)</span>}
                {user.external && <span class="muted"> external</span>}
              </>
            ),
          },
          {
            key: 'role',
            label: 'Role',
            cell: ({ role }) => (
              <>
                {role} <span class="muted">{ROLE_WORDS[role]}</span>
              </>
            ),
          },
          {
            key: 'state',
            label: 'State',
            look: 'nowrap',
            cell: ({ enabled }) => <Enabled enabled={enabled} />,
          },
          {
            key: 'factors',
            label: 'Second factor',
            cell: ({ id }) =>
              kinds
                .get(id)
                ?.map((kind) => FACTOR_WORDS[kind])
                .join(', ') ?? <span class="muted">none</span>,
          },
          {
            key: 'changed',
            label: 'Changed',
            look: 'nowrap',
            cell: ({ updated_at }) => <Instant at={updated_at} now={state.now} />,
          },
        ]}
        rows={users}
        rowKey={({ id }) => id}
        actions={(user) => (
          <ButtonLink kind="row" href={href(user)} label={`Edit ${user.name}`}>
            Edit
          </ButtonLink>
        )}
        empty="No user."
      />
    </>
  );
}
