// Who is signed in at the OpenID Connect provider: users of the appliance and of the directory, and ending one or all of a person.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { PAGE_DEFAULT } from '../../shared/ground/store/pagination.ts';
import { listOidcSessions, type OidcSession, SESSION_SORTS } from '../../shared/services/oidc/sessions/sessions.ts';
import { PostButton } from '../components/button.tsx';
import { oidcSessionColumns, oidcSessionName } from '../components/sessions.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { type ListedRows, ListPage, placeText, ROW_QUERY } from '../units/row-list.tsx';
import { OIDC } from './oidc-words.tsx';

const PATH = pagePath('oidc-sessions');

export const page = definePage({
  id: 'oidcSessionsPage',
  path: PATH,
  current: OIDC.href,
  access: { session: 'read:oidc' },
  // `user_name` is what addresses of before called the search.
  query: v.object({
    search: ROW_QUERY.search,
    sort: ROW_QUERY.sort,
    cursor: ROW_QUERY.cursor,
    user_name: ROW_QUERY.search,
  }),
  async load({ db, query: { user_name, ...query }, now }): Promise<ListedRows<OidcSession>> {
    const asked = { ...query, search: query.search || user_name };
    const found = await listOidcSessions(db, { ...asked, limit: PAGE_DEFAULT }, now);
    return { items: found.items, next: found.next_cursor, at: placeText(asked) };
  },
  title: () => 'OpenID Connect sessions',
  view: SessionsView,
});

function SessionsView({ data, state, outcome }: ViewProps<ListedRows<OidcSession>>) {
  const may = state.user.scopes.includes('write:oidc');
  return (
    <ListPage
      head={{
        title: 'Sessions',
        trail: [OIDC],
        intro: 'Signed-in browsers. Ending a session revokes its tokens; a client’s own session may go on.',
      }}
      notice={
        <>
          <Refused typed={typedInto('endOidcSessionForm', outcome)} labels={{}} />
          <Refused typed={typedInto('endOidcSessionsForm', outcome)} labels={{}} />
        </>
      }
      of="session"
      listed={data}
      outcome={null}
      csrf={state.csrf}
      href={PATH}
      csv={{ path: `${PATH}.csv`, by: ['search', 'sort'] }}
      caption="Sessions, newest first unless sorted"
      searchLabel="Person, organization or address"
      columns={oidcSessionColumns(state.now, Person)}
      sorts={SESSION_SORTS}
      own={{ key: 'created_at', descending: true }}
      actions={(session) => may && <Actions session={session} csrf={state.csrf} />}
      empty="Nobody is signed in."
    />
  );
}

const Person = ({ user_name, source, organization }: OidcSession) => (
  <>
    <b>{user_name}</b>
    <span class="muted line">{source === 'appliance' ? 'of this appliance' : `of the directory, ${organization}`}</span>
  </>
);

function Actions({ session, csrf }: { session: OidcSession; csrf: string }) {
  const { id, subject, user_name } = session;
  return (
    <>
      <PostButton
        kind="row"
        action={`${PATH}/${encodeURIComponent(id)}/end`}
        csrf={csrf}
        label={`End ${user_name}, ${oidcSessionName(session)}`}
      >
        End
      </PostButton>
      <PostButton kind="row" action={`${PATH}/end`} csrf={csrf} fields={{ subject }} label={`End all of ${user_name}`}>
        End all
      </PostButton>
    </>
  );
}
