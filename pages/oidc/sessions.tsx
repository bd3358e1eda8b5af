// Who is signed in at the OpenID Connect provider: users of the appliance and of the directory, and ending one or all of a person.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { PAGE_DEFAULT, type Page } from '../../shared/ground/store/pagination.ts';
import { listOidcSessions, type OidcSession } from '../../shared/services/oidc/sessions/sessions.ts';
import { PostButton } from '../components/button.tsx';
import { FilterBar } from '../components/filter-bar.tsx';
import { Pagination } from '../components/pagination.tsx';
import { OidcSessionTable, oidcSessionName } from '../components/sessions.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { OIDC } from './oidc-words.tsx';

const PATH = pagePath('oidc-sessions');

interface Sessions extends Page<OidcSession> {
  /** Asked for; empty: of everybody. */
  user_name: string;
}

const word = (most: number) => v.optional(v.pipe(v.string(), v.maxLength(most)), '');

export const page = definePage({
  id: 'oidcSessionsPage',
  path: PATH,
  current: OIDC.href,
  access: { session: 'read:oidc' },
  query: v.object({ user_name: word(64), cursor: word(400) }),
  load: async ({ db, query: { user_name, cursor }, now }): Promise<Sessions> => {
    const query = { user_name: user_name || undefined, cursor: cursor || undefined, limit: PAGE_DEFAULT };
    return { user_name, ...(await listOidcSessions(db, query, now)) };
  },
  title: () => 'OpenID Connect sessions',
  view: SessionsView,
});

function SessionsView({ data: { items, next_cursor, user_name }, state, outcome }: ViewProps<Sessions>) {
  const may = state.user.scopes.includes('write:oidc');
  const place = { path: PATH, query: state.query };
  return (
    <>
      <PageHead
        title="Sessions"
        trail={[OIDC]}
        intro="Signed-in browsers. Ending a session revokes its tokens; a client’s own session may go on."
      />
      <Refused typed={typedInto('endOidcSessionForm', outcome)} labels={{}} />
      <Refused typed={typedInto('endOidcSessionsForm', outcome)} labels={{}} />
      <FilterBar
        place={place}
        search={{ name: 'user_name', label: 'User name', value: user_name, placeholder: 'User name, whole' }}
      />
      <OidcSessionTable
        caption="Sessions, newest first"
        sessions={items}
        now={state.now}
        person={Person}
        actions={(session) => may && <Actions session={session} csrf={state.csrf} />}
        empty={user_name === '' ? 'Nobody is signed in.' : 'Nobody of this name is signed in.'}
      />
      <Pagination place={place} nextCursor={next_cursor} />
    </>
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
