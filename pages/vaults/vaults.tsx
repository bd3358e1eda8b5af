// The vaults: what each is for, how many credentials it keeps, and when one of them was last used.
import * as v from 'valibot';
import { PAGE_DEFAULT } from '../../shared/ground/store/pagination.ts';
import { type LostValues, lostAnywhere } from '../../shared/platform/vaults/overview.ts';
import { listVaultLines, VAULT_SORTS, type VaultLine, vaultFilter } from '../../shared/platform/vaults/vault-list.ts';
import { Block } from '../components/block.tsx';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { State } from '../components/state-word.tsx';
import type { Column } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { type ListedRows, ListPage, placeText, ROW_QUERY } from '../units/row-list.tsx';
import { KEY_PAGE, LastUsed, sealedOf, VAULTS, vaultHref } from './vault-words.tsx';

interface Data extends ListedRows<VaultLine> {
  show: string;
  lost: LostValues | null;
}

export const page = definePage({
  id: 'vaultsPage',
  path: VAULTS.href,
  access: { session: 'read:vaults' },
  query: v.object(ROW_QUERY),
  async load({ db, services, query }): Promise<Data> {
    const filter = vaultFilter(query);
    const [lost, { items, next_cursor }] = await Promise.all([
      lostAnywhere(db, services.keyring),
      listVaultLines(db, { ...filter, cursor: query.cursor, limit: PAGE_DEFAULT }),
    ]);
    return { items, next: next_cursor, at: placeText(query), show: filter.show, lost };
  },
  title: () => 'Vaults',
  view: VaultsView,
});

function VaultsView({ data, state }: ViewProps<Data>) {
  const add = (
    <ButtonLink kind="primary" icon="plus" href={`${VAULTS.href}/new`}>
      Add vault
    </ButtonLink>
  );
  return (
    <ListPage
      head={{
        title: 'Vaults',
        intro: 'Credentials of other machines, for administrators. Each use of a value is in the audit log.',
      }}
      add={add}
      addFirst={data.items.length === 0 && data.at === ''}
      more={
        <>
          <ButtonLink href={KEY_PAGE}>Encryption key</ButtonLink>
          <ButtonLink href={`${VAULTS.href}/import`}>Import passwords</ButtonLink>
        </>
      }
      notice={<Lost lost={data.lost} />}
      of="vault"
      listed={data}
      outcome={null}
      csrf={state.csrf}
      href={VAULTS.href}
      csv={{ path: `${VAULTS.href}.csv`, by: ['search', 'sort', 'state'] }}
      caption="Vaults by name"
      searchLabel="Name, description or who made it"
      columns={columns(state.now)}
      sorts={VAULT_SORTS}
      own={{ key: 'name', descending: false }}
      selects={[
        {
          name: 'state',
          label: 'State',
          any: 'Any state',
          value: data.show,
          options: [
            { value: 'without-value', label: 'With entries without a value' },
            { value: 'unused', label: 'Never used' },
          ],
        },
      ]}
      actions={({ id, name }) => (
        <ButtonLink kind="row" href={vaultHref(id)} label={`Open ${name}`}>
          Open
        </ButtonLink>
      )}
      empty={
        <Empty action={add}>
          There is no vault yet. One keeps user names, addresses and passwords together, sealed on the disk; logins at
          remote machines and Kickstarts take them from it.
        </Empty>
      }
    />
  );
}

function Lost({ lost }: { lost: LostValues | null }) {
  if (lost === null) return null;
  return (
    <Block
      title={`${sealedOf(lost)} can’t be opened`}
      actions={<ButtonLink href={KEY_PAGE}>See what is missing</ButtonLink>}
    >
      Values are sealed under a key that the file vault.keys does not have.
    </Block>
  );
}

function columns(now: string): [Column<VaultLine>, ...Column<VaultLine>[]] {
  return [
    { key: 'name', label: 'Vault', look: 'code', cell: ({ id, name }) => <a href={vaultHref(id)}>{name}</a> },
    { key: 'description', label: 'Description', cell: ({ description }) => description },
    { key: 'entry_count', label: 'Entries', look: 'number', cell: ({ entry_count }) => entry_count },
    { key: 'values', label: 'Values', look: 'nowrap', cell: (vault) => <Values vault={vault} /> },
    {
      key: 'last_used_at',
      label: 'Last used',
      look: 'nowrap',
      cell: ({ last_used_at }) => <LastUsed at={last_used_at} now={now} />,
    },
    {
      key: 'created_at',
      label: 'Created',
      look: 'nowrap',
      cell: ({ created_at, created_by }) => (
        <>
          <Instant at={created_at} now={now} /> <span class="muted">by {created_by}</span>
        </>
      ),
    },
  ];
}

function Values({ vault: { entry_count, without_value } }: { vault: VaultLine }) {
  if (entry_count === 0) return <span class="muted">none</span>;
  if (without_value === 0) return <State kind="ok">All stored</State>;
  return <State kind="warn">{without_value} without a value</State>;
}
