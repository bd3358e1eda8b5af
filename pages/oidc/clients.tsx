// The clients of the OpenID Connect provider, with when each was last given tokens.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { type Client, clients } from '../../shared/services/oidc/clients/clients.ts';
import { PRESET_FACTS } from '../../shared/services/oidc/clients/presets.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { State } from '../components/state-word.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { CollectionList, hasRows, LIST_QUERY, type Listed, readListed } from '../units/collection-list.tsx';
import { OIDC } from './oidc-words.tsx';

export const page = definePage({
  id: 'oidcClientsPage',
  path: pagePath('oidc-clients'),
  current: OIDC.href,
  access: { session: 'read:oidc' },
  query: v.object(LIST_QUERY),
  load: ({ db, query, outcome, standings }): Promise<Listed<Client>> =>
    readListed(db, { collection: clients, of: null, standings, query, outcome }),
  title: () => 'OpenID Connect clients',
  view: Clients,
});

function Clients({ data, state, outcome }: ViewProps<Listed<Client>>) {
  const add = state.user.scopes.includes('write:oidc') && (
    <ButtonLink kind="primary" icon="plus" href={`${pagePath('oidc-clients')}/new`}>
      Add client
    </ButtonLink>
  );
  return (
    <>
      <PageHead
        title="Clients"
        trail={[OIDC]}
        intro="The products that let people sign in here. A change takes effect immediately."
      >
        {hasRows(data) && add}
      </PageHead>
      <CollectionList
        collection={clients}
        of={null}
        listed={data}
        outcome={outcome}
        state={state}
        href={pagePath('oidc-clients')}
        caption="Clients by name"
        columns={[
          { key: 'name', label: 'Client', cell: ({ id, name }) => <a href={pagePath('oidc-client', id)}>{name}</a> },
          { key: 'preset', label: 'Product', cell: ({ preset }) => PRESET_FACTS[preset].label },
          {
            key: 'enabled',
            label: 'State',
            look: 'nowrap',
            cell: ({ enabled }) => <State kind={enabled ? 'ok' : 'off'}>{enabled ? 'Enabled' : 'Disabled'}</State>,
          },
          {
            key: 'last',
            label: 'Last tokens',
            look: 'nowrap',
            cell: (client) => <LastTokens of={client} now={state.now} />,
          },
        ]}
        empty={<Empty action={add}>There is no client yet. Each product that signs people in here is one.</Empty>}
      />
    </>
  );
}

export function LastTokens({ of, now }: { of: Client; now: string }) {
  if (of.last_token_at === null) return <span class="muted">none yet</span>;
  return (
    <>
      <Instant at={of.last_token_at} now={now} /> for <code>{of.last_token_for}</code>
    </>
  );
}
