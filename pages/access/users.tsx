// The users: who may sign in, with which role.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { PAGE_DEFAULT } from '../../shared/ground/store/pagination.ts';
import { USERS_LIST } from '../../shared/kernel/access/list-words.ts';
import { ROLES } from '../../shared/kernel/access/scopes.ts';
import { type FactorKind, factorKinds } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { listUsers, USER_SORTS, type User, userFilter } from '../../shared/kernel/access/user.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { OwnPasswordField } from '../account/own-password.tsx';
import { ButtonLink } from '../components/button.tsx';
import { Enabled } from '../components/state-word.tsx';
import type { Column } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import type { ShellState } from '../layout/state.ts';
import type { Choosing } from '../units/chosen-rows.tsx';
import { askedOf, type ListedRows, ListPage, placeText, ROW_QUERY } from '../units/row-list.tsx';
import { FACTOR_WORDS } from './factor-words.ts';
import { errorsOf } from './form-errors.ts';
import { ROLE_WORDS } from './user-fields.tsx';

const PATH = pagePath('users');
const USERS: Choosing<User> = {
  table: 'users',
  listed: USERS_LIST,
  title: ({ name }) => name,
  effect: 'immediate',
  asks: [OWN_PASSWORD],
};

interface Users extends ListedRows<User> {
  /** Of second factors, by user. */
  kinds: ReadonlyMap<string, readonly FactorKind[]>;
  state: string;
  role: string;
}

export const page = definePage({
  id: 'usersPage',
  path: PATH,
  access: { session: 'read:users' },
  query: v.object({ ...ROW_QUERY, role: v.optional(v.pipe(v.string(), v.maxLength(32)), '') }),
  async load({ db, query, outcome }): Promise<Users> {
    const asked = askedOf(USERS, outcome, query);
    const { items, next_cursor } = await listUsers(db, {
      ...userFilter(asked),
      cursor: asked.cursor,
      limit: PAGE_DEFAULT,
    });
    const kinds = await factorKinds(
      db,
      items.map(({ id }) => id),
    );
    const { state, role } = asked;
    return { items, next: next_cursor, at: placeText(asked), kinds, state, role };
  },
  title: () => 'Users',
  view: UsersView,
});

const hrefOf = ({ id }: User) => pagePath('user', id);

function UsersView({ data, state, outcome }: ViewProps<Users>) {
  const writes = state.user.scopes.includes('write:users');
  const verb = writes ? 'Edit' : 'Open';
  return (
    <ListPage
      head={{ title: 'Users', intro: 'Who may sign in, and with which role.' }}
      add={
        <ButtonLink kind="primary" icon="plus" href={`${PATH}/new`}>
          Add user
        </ButtonLink>
      }
      more={
        <>
          <ButtonLink href={`${PATH}/second-factor-policy`}>Second factor policy</ButtonLink>
          <ButtonLink href={pagePath('sign-in-provider')}>External sign-in</ButtonLink>
        </>
      }
      of={USERS}
      listed={data}
      outcome={outcome}
      csrf={state.csrf}
      href={PATH}
      action={writes ? `${PATH}/chosen` : null}
      csv={{ path: `${PATH}.csv`, by: ['search', 'sort', 'state', 'role'] }}
      caption="Users by name"
      searchLabel="Part of a name"
      columns={columns(data, state)}
      sorts={USER_SORTS}
      own={{ key: 'name', descending: false }}
      selects={selectsOf(data)}
      // Nobody locks themselves out together with others.
      choosable={({ name }) => name !== state.user.name}
      actions={(user) => (
        <ButtonLink kind="row" href={hrefOf(user)} label={`${verb} ${user.name}`}>
          {verb}
        </ButtonLink>
      )}
      asking={({ value }, of) => <Asking verb={value} of={of} />}
      empty="No user."
    />
  );
}

const selectsOf = ({ state, role }: Users) => [
  {
    name: 'role',
    label: 'Role',
    any: 'Any role',
    value: role,
    options: ROLES.map((value) => ({ value, label: value })),
  },
  {
    name: 'state',
    label: 'State',
    any: 'Any state',
    value: state,
    options: [
      { value: 'enabled', label: 'Enabled' },
      { value: 'disabled', label: 'Disabled' },
    ],
  },
];

const ENDS: Readonly<Record<string, string>> = {
  enable: 'Who is enabled can sign in again. API tokens that ended do not come back.',
  disable: 'Sessions end now, and API tokens end for good.',
  delete: 'Sessions and API tokens end as well. The audit log keeps the names.',
};

function Asking({ verb, of }: { verb: string; of: FormOutcome }) {
  const typed = of.values.has('confirm') ? errorsOf(of).of(OWN_PASSWORD) : undefined;
  return (
    <>
      <p>{ENDS[verb]}</p>
      <OwnPasswordField error={typed} />
    </>
  );
}

function columns({ kinds }: Users, { now, user: me }: ShellState): [Column<User>, ...Column<User>[]] {
  return [
    {
      key: 'name',
      label: 'Name',
      look: 'code',
      cell: (user) => (
        <>
          <a href={hrefOf(user)}>{user.name}</a>
          {user.name === me.name && <span class="muted"> (you)</span>}
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
    { key: 'enabled', label: 'State', look: 'nowrap', cell: ({ enabled }) => <Enabled enabled={enabled} /> },
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
      key: 'updated_at',
      label: 'Changed',
      look: 'nowrap',
      cell: ({ updated_at }) => <Instant at={updated_at} now={now} />,
    },
  ];
}
