// The own account: who is signed in, the password, and the sessions and tokens that this user has.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { countCredentials } from '../../shared/kernel/access/credentials.ts';
import type { Role } from '../../shared/kernel/access/scopes.ts';
import { listFactors } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import { currentIn, sessionsOfUser } from '../../shared/services/oidc/sessions/of-user.ts';
import type { OidcSession } from '../../shared/services/oidc/sessions/sessions.ts';
import { PASSWORD_RULE, ROLE_WORDS } from '../access/user-fields.tsx';
import { Button, PostButton } from '../components/button.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { Facts } from '../components/facts.tsx';
import { CheckField, Form, FormActions, TextField } from '../components/form.tsx';
import { Refusal } from '../components/refusal.tsx';
import { OidcSessionTable, oidcSessionName, SessionTable, type Shown } from '../components/sessions.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { ACCOUNT_PATH } from '../layout/navigation.ts';
import { PageHead } from '../layout/shell.tsx';
import { OwnPasswordField } from './own-password.tsx';

const LABELS = {
  [OWN_PASSWORD]: 'Current password',
  new_password: 'New password',
  repeated_password: 'Repeat password',
};

interface Account {
  role: Role;
  /** Newest first; `current` is the one that asks. */
  sessions: Shown[];
  oidc_sessions: OidcSession[];
  tokens: number;
  /** Second factors. */
  factors: number;
}

export const page = definePage({
  id: 'accountPage',
  path: ACCOUNT_PATH,
  access: { session: 'any' },
  async load({ db, actor, now }): Promise<Account> {
    const { tokens } = await countCredentials(db, actor.user_id!, now);
    return {
      role: actor.role!,
      ...currentIn(await sessionsOfUser(db, actor.user_id!, now), actor),
      tokens,
      factors: (await listFactors(db, actor.user_id!)).length,
    };
  },
  title: () => 'Your account',
  view: AccountView,
});

function AccountView({ data, state, outcome }: ViewProps<Account>) {
  const { role, tokens } = data;
  const mayTokens = state.user.scopes.includes('read:tokens');
  const all = `${tokens} active`;
  return (
    <>
      <PageHead title="Your account" />
      <Facts
        facts={[
          { label: 'User name', value: <code>{state.user.name}</code> },
          {
            label: 'Role',
            value: (
              <>
                {role}: {ROLE_WORDS[role]}
              </>
            ),
          },
          {
            label: 'Second factors',
            value: <a href={pagePath('second-factors')}>{data.factors === 0 ? 'none yet: add one' : data.factors}</a>,
          },
          { label: 'API tokens', value: mayTokens ? <a href={pagePath('api-tokens')}>{all}</a> : all },
        ]}
      />
      <Sessions data={data} state={state} outcome={outcome} />
      <Password tokens={tokens} state={state} outcome={outcome} />
    </>
  );
}

function Sessions({ data: { sessions, oidc_sessions }, state, outcome }: ViewProps<Account>) {
  const others = sessions.filter(({ current }) => !current).length;
  const end = (id: string, label: string) => (
    <PostButton
      kind="row"
      action={`${ACCOUNT_PATH}/sessions/${encodeURIComponent(id)}/end`}
      csrf={state.csrf}
      label={label}
    >
      End
    </PostButton>
  );
  return (
    <section class="danger" aria-labelledby="sessions-title">
      <h2 id="sessions-title">Sessions</h2>
      <Refused typed={typedInto('endOwnSessionForm', outcome)} labels={{}} />
      <SessionTable
        caption="Your sessions, newest first"
        sessions={sessions}
        now={state.now}
        actions={({ id, current, source_address }) =>
          current ? null : end(id, `End the session from ${source_address}`)
        }
      />
      {oidc_sessions.length > 0 && (
        <OidcSessionTable
          caption="Your sign-ins to clients of OpenID Connect, newest first"
          sessions={oidc_sessions}
          now={state.now}
          actions={(session) => end(session.id, `End ${oidcSessionName(session)}`)}
          empty=""
        />
      )}
      {others + oidc_sessions.length > 0 && (
        <div class="below">
          <PostButton action={`${ACCOUNT_PATH}/end-other-sessions`} csrf={state.csrf}>
            End everywhere but here
          </PostButton>
        </div>
      )}
    </section>
  );
}

function Password({ tokens, state, outcome }: { tokens: number } & Pick<ViewProps<Account>, 'state' | 'outcome'>) {
  const typed = typedInto('changeOwnPasswordForm', outcome);
  const problem = typed.errors.length === 0 ? typed.outcome?.problem : null;
  return (
    <section class="danger" aria-labelledby="password-title">
      <h2 id="password-title">Password</h2>
      {problem && <Refusal problem={problem} title="Your password was not changed" />}
      <ErrorSummary errors={typed.errors} labels={LABELS} />
      <Form action={`${ACCOUNT_PATH}/password`} csrf={state.csrf} label="Change your password">
        {/* Password managers take the name from here. */}
        <input type="hidden" name="username" autocomplete="username" value={state.user.name} />
        <OwnPasswordField label={LABELS[OWN_PASSWORD]} error={typed.of(OWN_PASSWORD)} />
        <TextField
          name="new_password"
          label={LABELS.new_password}
          type="password"
          value=""
          autocomplete="new-password"
          help={PASSWORD_RULE}
          required
          error={typed.of('new_password')}
        />
        <TextField
          name="repeated_password"
          label={LABELS.repeated_password}
          type="password"
          value=""
          autocomplete="new-password"
          required
          error={typed.of('repeated_password')}
        />
        {tokens > 0 && (
          <CheckField
            name="keep_tokens"
            label="Keep my API tokens"
            help={`Otherwise ${tokens === 1 ? 'your API token ends' : `your ${tokens} API tokens end`}. Whoever knew the old password may have created one.`}
            checked={typed.checked('keep_tokens', false)}
          />
        )}
        <FormActions note="Your other sessions end, also those at the OpenID Connect provider. This one stays.">
          <Button kind="primary">Change password</Button>
        </FormActions>
      </Form>
    </section>
  );
}
