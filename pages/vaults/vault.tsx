// One vault: its entries without their values, searched and filtered by address.
import * as v from 'valibot';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { PAGE_DEFAULT } from '../../shared/ground/store/pagination.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import type { VaultEntry } from '../../shared/platform/vaults/entry-store.ts';
import { ENTRIES_LIST } from '../../shared/platform/vaults/list-words.ts';
import {
  ENTRY_SORTS,
  type EntryFilter,
  entryFilter,
  type FoundEntries,
  findEntries,
} from '../../shared/platform/vaults/overview.ts';
import { ENTRY_SOURCES } from '../../shared/platform/vaults/schemas.ts';
import { type Vault, vaults } from '../../shared/platform/vaults/vault-store.ts';
import { ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copyable.tsx';
import { Empty } from '../components/empty.tsx';
import type { Column } from '../components/table.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import type { ShellState } from '../layout/state.ts';
import type { Choosing } from '../units/chosen-rows.tsx';
import { askedOf, type ListedRows, ListPage, placeText, ROW_QUERY } from '../units/row-list.tsx';
import { entryHref, LastUsed, SOURCE_WORDS, Source, Stored, Uris, VAULTS, vaultHref } from './vault-words.tsx';

const ENTRIES: Choosing<VaultEntry> = {
  table: 'entries',
  listed: ENTRIES_LIST,
  title: ({ key }) => key,
  effect: 'immediate',
};

interface Data extends ListedRows<VaultEntry> {
  vault: Vault;
  filter: EntryFilter;
  counts: FoundEntries['counts'];
}

const text = v.optional(v.pipe(v.string(), v.maxLength(255)), '');

export const page = definePage({
  id: 'vaultPage',
  path: `${VAULTS.href}/{vault_id}`,
  current: VAULTS.href,
  access: { session: 'read:vaults' },
  params: idParam('vault_id', 'Id of the vault.'),
  // `show` is what addresses of before called the state.
  query: v.object({ ...ROW_QUERY, source: text, show: text }),
  async load({ db, params, query: { show, ...query }, outcome }): Promise<Data> {
    const vault = await findItem(db, vaults, params.vault_id);
    const asked = askedOf(ENTRIES, outcome, { ...query, state: query.state || show });
    const filter = entryFilter(asked);
    const { items, counts, next } = await findEntries(db, vault.id, filter, PAGE_DEFAULT);
    return { vault, filter, items, counts, next, at: placeText(asked) };
  },
  title: ({ vault }) => vault.name,
  view: VaultView,
});

function VaultView({ data, state, outcome }: ViewProps<Data>) {
  const { id, name, description, entry_count } = data.vault;
  const href = vaultHref(id);
  const writes = state.user.scopes.includes('write:vaults');
  const add = (
    <ButtonLink kind="primary" icon="plus" href={`${href}/entries/new`}>
      Add entry
    </ButtonLink>
  );
  return (
    <ListPage
      head={{ title: name, trail: [VAULTS], ...(description !== '' && { intro: description }) }}
      add={add}
      addFirst={entry_count === 0}
      more={
        <>
          <ButtonLink href={`${href}/edit`}>Edit vault</ButtonLink>
          <ButtonLink href={`${href}/delete`}>Delete vault</ButtonLink>
        </>
      }
      of={ENTRIES}
      listed={data}
      outcome={outcome}
      csrf={state.csrf}
      href={href}
      action={writes ? `${href}/entries/chosen` : null}
      csv={{ path: `${href}/entries.csv`, by: ['search', 'sort', 'state', 'source'] }}
      caption={`Entries of ${name} by key`}
      searchLabel="Key, user name, URI or description"
      columns={columns(state)}
      sorts={ENTRY_SORTS}
      own={{ key: 'key', descending: false }}
      selects={selectsOf(data)}
      actions={(entry) => <EntryAction entry={entry} />}
      asking={() => <p>A value is lost with its entry: nobody can bring it back. What it opens stays as it is.</p>}
      empty={
        <Empty action={add}>
          The vault is empty. An entry is one credential: a key to name it by, a user name, a value, and where it is
          used.
        </Empty>
      }
    />
  );
}

function EntryAction({ entry }: { entry: VaultEntry }) {
  return entry.has_value ? (
    <ButtonLink kind="row" href={`${entryHref(entry)}/reveal`} label={`Reveal ${entry.key}`}>
      Reveal…
    </ButtonLink>
  ) : (
    <ButtonLink kind="row" href={entryHref(entry)} label={`Store a value for ${entry.key}`}>
      Store a value
    </ButtonLink>
  );
}

const selectsOf = ({ filter, counts }: Data) => [
  {
    name: 'source',
    label: 'Source',
    any: 'Any source',
    value: filter.source,
    options: ENTRY_SOURCES.map((value) => ({ value, label: SOURCE_WORDS[value] })),
  },
  {
    name: 'state',
    label: 'State',
    any: `Any state (${counts['']})`,
    value: filter.show,
    options: [
      { value: 'without-value', label: `Without a value (${counts['without-value']})` },
      { value: 'unused', label: `Never used (${counts.unused})` },
    ],
  },
];

function columns({ now }: ShellState): [Column<VaultEntry>, ...Column<VaultEntry>[]] {
  return [
    { key: 'key', label: 'Key', look: 'code', cell: (entry) => <a href={entryHref(entry)}>{entry.key}</a> },
    {
      key: 'username',
      label: 'User name',
      cell: ({ id, username }) =>
        username ? <Copyable id={`username-${id}`} text={username} /> : <span class="muted">none</span>,
    },
    { key: 'description', label: 'Description', cell: ({ description }) => description },
    { key: 'uris', label: 'URIs', cell: ({ uris }) => <Uris uris={uris} /> },
    { key: 'source', label: 'Source', cell: (entry) => <Source entry={entry} /> },
    {
      key: 'value_changed_at',
      label: 'Value',
      cell: ({ value_changed_at }) => <Stored changed_at={value_changed_at} now={now} />,
    },
    {
      key: 'last_used_at',
      label: 'Last used',
      look: 'nowrap',
      cell: ({ last_used_at }) => <LastUsed at={last_used_at} now={now} />,
    },
  ];
}
