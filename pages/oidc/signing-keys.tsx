// The signing keys of the OpenID Connect provider, and their rotation.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { SIGNS_DAYS, type SigningKey, signingKeys } from '../../shared/services/oidc/keys/signing-keys.ts';
import { PostButton } from '../components/button.tsx';
import { State, type StateKind } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { OIDC } from './oidc-words.tsx';

const PATH = pagePath('oidc-signing-keys');
const WORDS: Record<SigningKey['state'], { kind: StateKind; word: string }> = {
  current: { kind: 'ok', word: 'Signs' },
  next: { kind: 'off', word: 'Signs next' },
  previous: { kind: 'off', word: 'Published still' },
};

export const page = definePage({
  id: 'oidcSigningKeysPage',
  path: PATH,
  current: OIDC.href,
  access: { session: 'read:oidc' },
  load: ({ db }): Promise<SigningKey[]> => signingKeys(db),
  title: () => 'Signing keys',
  view: SigningKeys,
});

function SigningKeys({ data, state, outcome }: ViewProps<SigningKey[]>) {
  const may = state.user.scopes.includes('write:oidc') && data.length > 0;
  const when = (at: string | null) =>
    at === null ? <span class="muted">–</span> : <Instant at={at} now={state.now} />;
  return (
    <>
      <PageHead
        title="Signing keys"
        trail={[OIDC]}
        intro={`Clients check signatures by these published keys. One is replaced after ${SIGNS_DAYS} days; issued tokens stay valid.`}
      >
        {may && (
          <PostButton action={`${PATH}/rotate`} csrf={state.csrf}>
            Rotate now
          </PostButton>
        )}
      </PageHead>
      <Refused typed={typedInto('rotateOidcSigningKeysForm', outcome)} labels={{}} />
      <DataTable
        caption="Signing keys, the active key first"
        columns={[
          { key: 'id', label: 'Key ID', look: 'code', cell: ({ id }) => id },
          {
            key: 'state',
            label: 'State',
            look: 'nowrap',
            cell: (key) => <State kind={WORDS[key.state].kind}>{WORDS[key.state].word}</State>,
          },
          { key: 'from', label: 'Signs from', look: 'nowrap', cell: ({ signs_from }) => when(signs_from) },
          {
            key: 'until',
            label: 'Published until',
            look: 'nowrap',
            cell: ({ published_until }) => when(published_until),
          },
        ]}
        rows={data}
        rowKey={({ id }) => id}
        empty="None yet: they are made when the provider is first in force."
      />
    </>
  );
}
