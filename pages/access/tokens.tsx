// API tokens: what exists, creating one, and its secret, which is shown once.

import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { PAGE_DEFAULT } from '../../shared/ground/store/pagination.ts';
import { TOKENS_LIST } from '../../shared/kernel/access/list-words.ts';
import {
  listTokens,
  TOKEN_LIFETIME,
  TOKEN_SORTS,
  TOKEN_STATES,
  type Token,
  tokenFilter,
  tokenNames,
  tokensVisibleTo,
} from '../../shared/kernel/access/token.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Button } from '../components/button.tsx';
import { CodeBlock, More } from '../components/code.tsx';
import { CopyableId } from '../components/copyable.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { Form, FormActions, TextField } from '../components/form.tsx';
import { Refusal } from '../components/refusal.tsx';
import { SecretOnce } from '../components/secret-once.tsx';
import { State, type StateKind } from '../components/state-word.tsx';
import type { Column } from '../components/table.tsx';
import { exact, Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import type { ShellState } from '../layout/state.ts';
import type { Choosing } from '../units/chosen-rows.tsx';
import { askedOf, type ListedRows, ListPage, placeText, ROW_QUERY } from '../units/row-list.tsx';
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

const TOKENS: Choosing<Token> = {
  table: 'tokens',
  listed: TOKENS_LIST,
  title: ({ name }) => name,
  effect: 'immediate',
};

interface Tokens extends ListedRows<Token> {
  /** By id, of those that made one that is shown. */
  makers: ReadonlyMap<string, string>;
  state: string;
  everybody: boolean;
  /** Set of scopes to begin with. */
  preset: string;
}

export const page = definePage({
  id: 'apiTokensPage',
  path: PATH,
  access: { session: 'read:tokens' },
  query: v.object({ ...ROW_QUERY, preset: v.optional(v.pipe(v.string(), v.maxLength(32)), '') }),
  async load({ db, actor, now, query: { preset, ...query }, outcome }): Promise<Tokens> {
    const user_id = tokensVisibleTo(actor);
    const asked = askedOf(TOKENS, outcome, query);
    const wanted = { ...tokenFilter(asked), user_id, cursor: asked.cursor, limit: PAGE_DEFAULT };
    const { items, next_cursor } = await listTokens(db, now, wanted);
    const makers = await tokenNames(
      db,
      items.flatMap(({ created_by_token }) => created_by_token ?? []),
    );
    const everybody = user_id === undefined;
    return { items, next: next_cursor, at: placeText(asked), makers, state: asked.state, everybody, preset };
  },
  title: () => 'API tokens',
  view: TokensView,
});

function TokensView({ data, state, outcome }: ViewProps<Tokens>) {
  const may = state.user.scopes.includes('write:tokens');
  const own = outcome?.operation_id === 'changeApiTokensForm' ? null : outcome;
  const problem = own?.problem ?? null;
  const { errors } = errorsOf(own, { lifetime_seconds: 'lifetime_days' });
  return (
    <>
      <ListPage
        head={{
          title: 'API tokens',
          intro: data.everybody
            ? 'Credentials of programs, of all users. Only a hash of each secret is kept.'
            : 'Credentials of your programs. Only a hash of each secret is kept.',
        }}
        notice={
          <>
            <Created outcome={own} />
            {problem && errors.length === 0 && <Refusal problem={problem} title="Nothing was changed" />}
            <ErrorSummary errors={errors} labels={LABELS} title="The token was not created" />
          </>
        }
        of={TOKENS}
        listed={data}
        outcome={outcome}
        csrf={state.csrf}
        href={PATH}
        action={may ? `${PATH}/chosen` : null}
        csv={{ path: `${PATH}.csv`, by: ['search', 'sort', 'state'] }}
        caption="API tokens, newest first unless sorted"
        searchLabel="Purpose, user or scope"
        columns={columns(state, data)}
        sorts={TOKEN_SORTS}
        own={{ key: 'created_at', descending: true }}
        selects={[
          {
            name: 'state',
            label: 'State',
            any: 'Any state',
            value: data.state,
            options: TOKEN_STATES.map((value) => ({ value, label: STATES[value].word })),
          },
        ]}
        choosable={({ state: is }) => is === 'active'}
        actions={(token) =>
          may && token.state === 'active' ? (
            <Button kind="row" action={`${pagePath('api-token', token.id)}/revoke`} label={`Revoke ${token.name}`}>
              Revoke
            </Button>
          ) : null
        }
        asking={() => <p>A revoked token ends now, with every token that it created, and never works again.</p>}
        empty="No token yet. A program needs one to call the API."
      />
      {may && <CreateToken state={state} outcome={outcome} preset={data.preset} />}
    </>
  );
}

function columns(state: ShellState, { makers, everybody }: Tokens): [Column<Token>, ...Column<Token>[]] {
  return [
    { key: 'name', label: 'Purpose', cell: (token) => <Purpose token={token} makers={makers} /> },
    {
      key: 'state',
      label: 'State',
      look: 'nowrap',
      cell: ({ state: is }) => <State kind={STATES[is].kind}>{STATES[is].word}</State>,
    },
    { key: 'scopes', label: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} /> },
    ...(everybody ? [{ key: 'created_by', label: 'User', cell: ({ created_by }: Token) => created_by }] : []),
    {
      key: 'expires_at',
      label: 'Expires',
      look: 'nowrap',
      cell: ({ expires_at }) => <Instant at={expires_at} now={state.now} />,
    },
    {
      key: 'last_used_at',
      label: 'Last use',
      look: 'nowrap',
      cell: (token) => <LastUse token={token} now={state.now} />,
    },
    { key: 'id', label: 'Id', look: 'nowrap', cell: ({ id }) => <CopyableId id={id} /> },
  ];
}

/** A token that was created with another token ends with that one. */
function Purpose({ token, makers }: { token: Token; makers: Tokens['makers'] }) {
  const { name, created_by_token } = token;
  const maker = makers.get(created_by_token ?? '') ?? 'another token';
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
