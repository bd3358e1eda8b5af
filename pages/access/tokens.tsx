// API tokens: what exists, creating one, and its secret, which is shown once.

import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { PAGE_MAX } from '../../shared/ground/store/pagination.ts';
import { listTokens, TOKEN_LIFETIME, type Token, tokensVisibleTo } from '../../shared/kernel/access/token.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Button, PostButton } from '../components/button.tsx';
import { CodeBlock, More } from '../components/code.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { Form, FormActions, TextField } from '../components/form.tsx';
import { Refusal } from '../components/refusal.tsx';
import { SecretOnce } from '../components/secret-once.tsx';
import { State, type StateKind } from '../components/state-word.tsx';
import { type Column, DataTable } from '../components/table.tsx';
import { exact, Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';
import { errorsOf } from './form-errors.ts';
import { ScopeGrid } from './scope-grid.tsx';
import { presetsFor, scopeLinesInWords } from './scope-words.ts';

const PATH = pagePath('api-tokens');
const DAY = 86_400;
const LABELS = { name: 'Purpose', lifetime_days: 'Lifetime', scopes: 'Scopes', ...OWN_PASSWORD_LABEL };
const STATES: Record<Token['state'], { kind: StateKind; word: string }> = {
  active: { kind: 'ok', word: 'Active' },
  expired: { kind: 'off', word: 'Expired' },
  revoked: { kind: 'off', word: 'Revoked' },
};

interface Tokens {
  tokens: Token[];
  everybody: boolean;
  /** Set of scopes to begin with. */
  preset: string;
}

export const page = definePage({
  id: 'apiTokensPage',
  path: PATH,
  access: { session: 'read:tokens' },
  query: v.object({ preset: v.optional(v.pipe(v.string(), v.maxLength(32)), '') }),
  load: async ({ db, actor, now, query }): Promise<Tokens> => {
    const of = tokensVisibleTo(actor);
    return {
      tokens: (await listTokens(db, now, { user_id: of, limit: PAGE_MAX })).items,
      everybody: of === undefined,
      preset: query.preset,
    };
  },
  title: () => 'API tokens',
  view: TokensView,
});

function TokensView({ data: { tokens, everybody, preset }, state, outcome }: ViewProps<Tokens>) {
  const may = state.user.scopes.includes('write:tokens');
  const problem = outcome?.problem ?? null;
  const { errors } = errorsOf(outcome, { lifetime_seconds: 'lifetime_days' });
  return (
    <>
      <PageHead
        title="API tokens"
        intro={
          everybody
            ? 'Credentials of programs, of all users. Only a hash of each secret is kept.'
            : 'Credentials of your programs. Only a hash of each secret is kept.'
        }
      />
      <Created outcome={outcome} />
      {problem && errors.length === 0 && <Refusal problem={problem} title="Nothing was changed" />}
      <ErrorSummary errors={errors} labels={LABELS} title="The token was not created" />
      <DataTable
        caption="API tokens, newest first"
        columns={columns(state, tokens, everybody)}
        rows={tokens}
        rowKey={({ id }) => id}
        actions={(token) =>
          may && token.state === 'active' ? (
            <PostButton
              kind="row"
              action={`${PATH}/${encodeURIComponent(token.id)}/revoke`}
              csrf={state.csrf}
              label={`Revoke ${token.name}`}
            >
              Revoke
            </PostButton>
          ) : null
        }
        empty="No token yet. A program needs one to call the API."
      />
      {may && <CreateToken state={state} outcome={outcome} preset={preset} />}
    </>
  );
}

function columns(state: ShellState, tokens: Token[], everybody: boolean): [Column<Token>, ...Column<Token>[]] {
  return [
    { key: 'name', label: 'Purpose', cell: (token) => <Purpose token={token} tokens={tokens} /> },
    {
      key: 'state',
      label: 'State',
      look: 'nowrap',
      cell: ({ state: is }) => <State kind={STATES[is].kind}>{STATES[is].word}</State>,
    },
    { key: 'scopes', label: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} /> },
    ...(everybody ? [{ key: 'by', label: 'User', cell: ({ created_by }: Token) => created_by }] : []),
    {
      key: 'expires',
      label: 'Expires',
      look: 'nowrap',
      cell: ({ expires_at }) => <Instant at={expires_at} now={state.now} />,
    },
    { key: 'used', label: 'Last use', look: 'nowrap', cell: (token) => <LastUse token={token} now={state.now} /> },
  ];
}

/** A token that was created with another token ends with that one. */
function Purpose({ token: { name, created_by_token }, tokens }: { token: Token; tokens: readonly Token[] }) {
  const maker = tokens.find(({ id }) => id === created_by_token)?.name ?? 'another token';
  return (
    <>
      <b>{name}</b>
      {created_by_token !== null && <span class="muted line">created with {maker}, ends with it</span>}
    </>
  );
}

function Scopes({ scopes }: { scopes: readonly string[] }) {
  const lines = scopeLinesInWords(scopes);
  const list = (
    <div title={scopes.join(' ')}>
      {lines.map((line) => (
        <span key={line} class="line">
          {line}
        </span>
      ))}
    </div>
  );
  return lines.length <= 4 ? list : <More summary={`${lines.length} resources`}>{list}</More>;
}

function LastUse({ token, now }: { token: Token; now: string }) {
  if (token.last_used_at === null) return <span class="muted">never</span>;
  return (
    <>
      <Instant at={token.last_used_at} now={now} />
      {token.last_used_from !== null && (
        <>
          {' '}
          from <code>{token.last_used_from}</code>
        </>
      )}
    </>
  );
}

function Created({ outcome }: { outcome: FormOutcome | null }) {
  const made = outcome?.result as { token?: Token; secret?: string } | null | undefined;
  if (!made?.token || !made.secret) return null;
  const { token, secret } = made;
  return (
    <SecretOnce title={`Token ${token.name} is created`} secret={secret}>
      <p class="muted">
        Valid until {exact(token.expires_at)} for {scopeLinesInWords(token.scopes).join(', ')}. A program sends it as a
        bearer token:
      </p>
      <CodeBlock label="Use of the token">{'curl -H "Authorization: Bearer $TOKEN" …/api/v1/…'}</CodeBlock>
    </SecretOnce>
  );
}

interface CreateTokenProps {
  state: ShellState;
  outcome: FormOutcome | null;
  preset: string;
}

function CreateToken({ state, outcome, preset }: CreateTokenProps) {
  const begin = presetsFor(state.user.scopes).find(({ id }) => id === preset)?.scopes ?? [];
  const refused = outcome?.problem && outcome.operation_id === 'createApiTokenForm' ? outcome : null;
  const { of } = errorsOf(refused, { lifetime_seconds: 'lifetime_days' });
  const values = refused?.values;
  return (
    <section class="danger" aria-labelledby="create-title">
      <h2 id="create-title">Create a token</h2>
      <Form action={PATH} csrf={state.csrf} label="Create a token">
        <TextField
          name="name"
          label="Purpose"
          value={values?.get('name') ?? ''}
          help="What the token is for: a program, a pipeline or a machine."
          maxlength={80}
          required
          error={of('name')}
        />
        <TextField
          name="lifetime_days"
          label="Lifetime in days"
          value={values?.get('lifetime_days') ?? String(TOKEN_LIFETIME.default / DAY)}
          help={`1 to ${TOKEN_LIFETIME.max / DAY}. Shorter lifetimes, from an hour, come from the API and the command line.`}
          inputmode="numeric"
          mono
          required
          error={of('lifetime_days')}
        />
        <ScopeGrid offered={state.user.scopes} chosen={values?.getAll('scopes') ?? begin} error={of('scopes')} />
        <OwnPasswordField error={of(OWN_PASSWORD)} />
        <FormActions note="The secret is shown once, on the next page.">
          <Button kind="primary">Create token</Button>
        </FormActions>
      </Form>
    </section>
  );
}
