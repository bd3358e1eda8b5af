// The own account: who is signed in, the password, and the sessions and tokens that this user has.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { countCredentials, listSessions, type Session } from '../../shared/kernel/access/credentials.ts';
import type { Role } from '../../shared/kernel/access/scopes.ts';
import { listFactors } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import { PASSWORD_RULE, ROLE_WORDS } from '../access/user-fields.tsx';
import { Button, PostButton } from '../components/button.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { Facts } from '../components/facts.tsx';
import { CheckField, Form, FormActions, TextField } from '../components/form.tsx';
import { Refusal } from '../components/refusal.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { typedInto } from '../layout/form-state.tsx';
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
  sessions: (Omit<Session, 'id_hash'> & { current: boolean })[];
  tokens: number;
  /** Second factors. */
  factors: number;
}

export const page = definePage({
  id: 'accountPage',
  path: ACCOUNT_PATH,
  access: { session: 'any' },
  async load({ db, actor, now }): Promise<Account> {
    const sessions = await listSessions(db, actor.user_id!, now);
    const { tokens } = await countCredentials(db, actor.user_id!, now);
    return {
      role: actor.role!,
      sessions: sessions.map(({ id_hash, ...session }) => ({ ...session, current: id_hash === actor.credential_id })),
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
      <Sessions data={data} state={state} />
      <Password tokens={tokens} state={state} outcome={outcome} />
    </>
  );
}

function Sessions({ data: { sessions }, state }: Pick<ViewProps<Account>, 'data' | 'state'>) {
  const others = sessions.filter(({ current }) => !current).length;
  return (
    <section class="danger" aria-labelledby="sessions-title">
      <h2 id="sessions-title">Sessions</h2>
      <DataTable
        caption="Your sessions, newest first"
        columns={[
          { key: 'from', label: 'From', look: 'code', cell: ({ source_address }) => source_address },
          {
            key: 'state',
            label: 'Session',
            look: 'nowrap',
            cell: ({ current }) => (current ? <State kind="ok">This browser</State> : 'Another browser'),
          },
          {
            key: 'since',
            label: 'Signed in',
            look: 'nowrap',
            cell: ({ created_at }) => <Instant at={created_at} now={state.now} />,
          },
          {
            key: 'seen',
            label: 'Last seen',
            look: 'nowrap',
            cell: ({ last_seen_at }) => <Instant at={last_seen_at} now={state.now} />,
          },
        ]}
        rows={sessions}
        rowKey={({ created_at, source_address, current }) => `${created_at} ${source_address} ${current}`}
        empty="No sessions."
      />
      {others > 0 && (
        <div>
          <PostButton action={`${ACCOUNT_PATH}/end-other-sessions`} csrf={state.csrf}>
            {others === 1 ? 'End the other session' : `End the other ${others} sessions`}
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
        <FormActions note="Your other sessions end. This one stays.">
          <Button kind="primary">Change password</Button>
        </FormActions>
      </Form>
    </section>
  );
}
