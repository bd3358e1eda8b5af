// A key provider: which clients are let in for it, and its newest keys.
import { instant } from '../../shared/ground/clock.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { type KeyView, listKeys } from '../../shared/services/kms/keys/administration.ts';
import { CLIENTS_MOST, type Client, listClients } from '../../shared/services/kms/trust/clients.ts';
import { type Provider, providers } from '../../shared/services/kms/trust/providers.ts';
import { listRemoved, type Tombstone } from '../../shared/services/kms/trust/tombstones.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FactsList } from '../components/facts.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { List } from '../units/listing.tsx';
import { KeysTable } from './keys-table.tsx';
import { ClientState, KMS } from './kms-words.tsx';

/** Keys that are shown, and removed clients. */
const MOST = 20;

interface Data {
  provider: Provider;
  clients: Client[];
  keys: KeyView[];
  removed: Tombstone[];
}

export const page = definePage({
  id: 'keyProviderPage',
  path: pageRoute('kms-provider'),
  current: KMS.href,
  access: { session: 'read:kms' },
  params: idParam('provider_id', 'Id of the provider.'),
  async load({ db, params: { provider_id }, now }): Promise<Data> {
    const at = instant(now);
    return {
      provider: await findItem(db, providers, provider_id),
      clients: (await listClients(db, { provider_id, limit: CLIENTS_MOST }, at)).items,
      keys: (await listKeys(db, { provider_id, limit: MOST }, at)).items,
      removed: (await listRemoved(db, { provider_id, limit: MOST })).items,
    };
  },
  title: ({ provider }) => provider.name,
  view: ProviderView,
});

function ProviderView({ data: { provider, clients, keys, removed }, state }: ViewProps<Data>) {
  const { id, name, description, activates_on_create, key_count } = provider;
  const writes = state.user.scopes.includes('write:kms');
  const href = pagePath('kms-provider', id);
  return (
    <>
      <PageHead title={name} trail={[KMS]} intro={description}>
        {writes && <ButtonLink href={`${href}/edit`}>Edit provider</ButtonLink>}
        {writes && <ButtonLink href={`${href}/delete`}>Delete provider</ButtonLink>}
      </PageHead>
      <FactsList
        facts={[
          { label: 'Keys', value: key_count === 0 ? <span class="muted">none</span> : key_count },
          {
            label: 'New keys',
            value: activates_on_create ? 'Active at once' : 'Pre-active until the client activates them',
          },
        ]}
      />
      <List title="Clients">
        <p class="muted">A client needs the key of exactly one of these certificates. Who signed it does not matter.</p>
        <DataTable
          caption="Clients, the newest first"
          columns={[
            {
              key: 'name',
              label: 'Client',
              cell: (client) => <a href={pagePath('kms-client', client.id)}>{client.name}</a>,
            },
            { key: 'state', label: 'State', look: 'nowrap', cell: (client) => <ClientState of={client} /> },
            {
              key: 'ends',
              label: 'Valid until',
              look: 'nowrap',
              cell: ({ not_after }) => <Instant at={not_after} now={state.now} />,
            },
            {
              key: 'seen',
              label: 'Last seen',
              look: 'nowrap',
              cell: ({ last_seen_at, last_seen_from }) =>
                last_seen_at === null ? (
                  <span class="muted">never</span>
                ) : (
                  <>
                    <Instant at={last_seen_at} now={state.now} /> <code>{last_seen_from}</code>
                  </>
                ),
            },
          ]}
          rows={clients}
          rowKey={(client) => client.id}
          empty={<Empty>No client is trusted for this provider yet.</Empty>}
        />
        {writes && <Ways provider_id={id} />}
      </List>
      {removed.length > 0 && <Removed of={removed} now={state.now} />}
      <List title="Newest keys">
        <KeysTable keys={keys} now={state.now} />
      </List>
    </>
  );
}

const WHY: Record<Tombstone['removal'], string> = {
  removed: 'Removed',
  revoked: 'Revoked',
  held: 'On hold',
  provider_deleted: 'Went with its provider',
};

function Removed({ of, now }: { of: readonly Tombstone[]; now: string }) {
  return (
    <List title="Removed clients">
      <p class="muted">
        They stay removed after a restore or a factory reset. To trust one again, add its certificate again.
      </p>
      <DataTable
        caption="Removed clients, the newest first"
        columns={[
          { key: 'name', label: 'Client', cell: ({ name }) => name },
          {
            key: 'removal',
            label: 'Why',
            look: 'nowrap',
            cell: ({ removal, removed_by }) => `${WHY[removal]} by ${removed_by}`,
          },
          { key: 'at', label: 'When', look: 'nowrap', cell: ({ removed_at }) => <Instant at={removed_at} now={now} /> },
          { key: 'sha256', label: 'SHA-256', look: 'code', cell: ({ sha256 }) => `${sha256.slice(0, 23)}…` },
        ]}
        rows={of}
        rowKey={({ id }) => id}
        empty={<Empty>Nobody was removed.</Empty>}
      />
    </List>
  );
}

function Ways({ provider_id }: { provider_id: string }) {
  const at = (way: string) => `${pagePath('kms-clients')}/${way}?provider_id=${encodeURIComponent(provider_id)}`;
  return (
    <div class="actions">
      <ButtonLink kind="primary" href={at('upload')}>
        Upload a certificate
      </ButtonLink>
      <ButtonLink href={at('sign')}>Sign a request</ButtonLink>
      <ButtonLink href={at('with-key')}>Make a certificate and key</ButtonLink>
    </div>
  );
}
