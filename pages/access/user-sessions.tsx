// The sessions of a user, for administrators: which go on, and ending one or all of them.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { findUser, type User } from '../../shared/kernel/access/user.ts';
import { currentIn, sessionsOfUser } from '../../shared/services/oidc/sessions/of-user.ts';
import type { OidcSession } from '../../shared/services/oidc/sessions/sessions.ts';
import { PostButton } from '../components/button.tsx';
import { OidcSessionTable, oidcSessionName, SessionTable, type Shown } from '../components/sessions.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';

const USERS = pagePath('users');

interface UserSessions {
  user: User;
  sessions: Shown[];
  oidc_sessions: OidcSession[];
}

export const page = definePage({
  id: 'userSessionsPage',
  path: `${pageRoute('user')}/sessions`,
  current: USERS,
  access: { session: 'read:users' },
  params: idParam('user_id', 'Id of the user.'),
  load: async ({ db, params, actor, now }): Promise<UserSessions> => {
    const user = await findUser(db, params.user_id);
    return { user, ...currentIn(await sessionsOfUser(db, user.id, now), actor) };
  },
  title: ({ user }) => `Sessions of ${user.name}`,
  view: UserSessionsView,
});

function UserSessionsView({ data, state, outcome }: ViewProps<UserSessions>) {
  const { user, sessions, oidc_sessions } = data;
  const back = pagePath('user', user.id);
  const may = state.user.scopes.includes('write:users');
  const any = sessions.length + oidc_sessions.length > 0;
  const end = (id: string, label: string) =>
    may && (
      <PostButton kind="row" action={`${back}/sessions/${encodeURIComponent(id)}/end`} csrf={state.csrf} label={label}>
        End
      </PostButton>
    );
  return (
    <>
      <PageHead
        title="Sessions"
        intro="Browsers in which this user is signed in. API tokens are not among them."
        trail={[
          { href: USERS, label: 'Users' },
          { href: back, label: user.name },
        ]}
      >
        {may && any && (
          <PostButton action={`${back}/sessions/end`} csrf={state.csrf}>
            End everywhere
          </PostButton>
        )}
      </PageHead>
      <Refused typed={typedInto('endUserSessionForm', outcome)} labels={{}} />
      <Refused typed={typedInto('endUserSessionsForm', outcome)} labels={{}} />
      <SessionTable
        caption="Sessions of this appliance, newest first"
        sessions={sessions}
        now={state.now}
        actions={({ id, source_address }) => end(id, `End the session from ${source_address}`)}
      />
      <section aria-labelledby="clients-title">
        <h2 id="clients-title">OpenID Connect</h2>
        <OidcSessionTable
          caption="Sign-ins to clients, newest first"
          sessions={oidc_sessions}
          now={state.now}
          actions={(session) => end(session.id, `End ${oidcSessionName(session)}`)}
          empty="Not signed in to any client."
        />
        <p class="muted">
          Ending one takes its tokens away from all of its clients. A client may let the user go on in a session of its
          own until that ends.
        </p>
      </section>
    </>
  );
}
