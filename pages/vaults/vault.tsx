// One vault: its entries without their values, searched and filtered by address.
import * as v from 'valibot';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { PAGE_DEFAULT } from '../../shared/ground/store/pagination.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import type { VaultEntry } from '../../shared/platform/vaults/entry-store.ts';
import {
  type EntryFilter,
  type FoundEntries,
  findEntries,
  isEntrySource,
} from '../../shared/platform/vaults/overview.ts';
import { ENTRY_SOURCES } from '../../shared/platform/vaults/schemas.ts';
import { type Vault, vaults } from '../../shared/platform/vaults/vault-store.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FilterBar } from '../components/filter-bar.tsx';
import { Pagination } from '../components/pagination.tsx';
import { type Column, DataTable } from '../components/table.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';
import { entryHref, LastUsed, SOURCE_WORDS, Source, Stored, Uris, VAULTS, vaultHref } from './vault-words.tsx';

interface Data {
  vault: Vault;
  filter: EntryFilter;
  found: FoundEntries;
}

const text = v.optional(v.pipe(v.string(), v.maxLength(255)), '');

export const page = definePage({
  id: 'vaultPage',
  path: `${VAULTS.href}/{vault_id}`,
  current: VAULTS.href,
  access: { session: 'read:vaults' },
  params: idParam('vault_id', 'Id of the vault.'),
  query: v.object({ search: text, source: text, show: text, cursor: text }),
  async load({ db, params, query }): Promise<Data> {
    const vault = await findItem(db, vaults, params.vault_id);
    const filter: EntryFilter = {
      search: query.search,
      source: isEntrySource(query.source) ? query.source : '',
      show: query.show === 'without-value' || query.show === 'unused' ? query.show : '',
      after: query.cursor,
    };
    return { vault, filter, found: await findEntries(db, vault.id, filter, PAGE_DEFAULT) };
  },
  title: ({ vault }) => vault.name,
  view: VaultView,
});

function VaultView({ data: { vault, filter, found }, state }: ViewProps<Data>) {
  const { id, name, description, entry_count } = vault;
  const href = vaultHref(id);
  const place = { path: href, query: state.query };
  const add = (
    <ButtonLink kind="primary" icon="plus" href={`${href}/entries/new`}>
      Add entry
    </ButtonLink>
  );
  return (
    <>
      <PageHead title={name} trail={[VAULTS]} {...(description !== '' && { intro: description })}>
        {entry_count > 0 && add}
        <ButtonLink href={`${href}/edit`}>Edit vault</ButtonLink>
        <ButtonLink href={`${href}/delete`}>Delete vault</ButtonLink>
      </PageHead>
      {entry_count > 0 && <Filters place={place} filter={filter} found={found} />}
      <DataTable
        caption={`Entries of ${name} by key`}
        columns={columns(state)}
        rows={found.items}
        rowKey={(entry) => entry.id}
        actions={(entry) =>
          entry.has_value ? (
            <ButtonLink kind="row" href={`${entryHref(entry)}/reveal`} label={`Reveal ${entry.key}`}>
              Reveal…
            </ButtonLink>
          ) : (
            <ButtonLink kind="row" href={entryHref(entry)} label={`Store a value for ${entry.key}`}>
              Store a value
            </ButtonLink>
          )
        }
        empty={<Nothing vault={vault} add={add} />}
      />
      <Pagination place={place} nextCursor={found.next} />
    </>
  );
}

function Filters({ place, filter, found }: { place: { path: string; query: string } } & Omit<Data, 'vault'>) {
  const { counts } = found;
  return (
    <FilterBar
      place={place}
      search={{ name: 'search', label: 'Key, user name, URI or description', value: filter.search }}
      selects={[
        {
          name: 'source',
          label: 'Source',
          any: 'Any source',
          value: filter.source,
          options: ENTRY_SOURCES.map((value) => ({ value, label: SOURCE_WORDS[value] })),
        },
      ]}
      segments={{
        name: 'show',
        label: 'Entries',
        value: filter.show,
        options: [
          { value: '', label: 'All', count: counts[''] },
          { value: 'without-value', label: 'Without a value', count: counts['without-value'] },
          { value: 'unused', label: 'Never used', count: counts.unused },
        ],
      }}
    />
  );
}

function columns({ now }: ShellState): [Column<VaultEntry>, ...Column<VaultEntry>[]] {
  return [
    { key: 'key', label: 'Key', look: 'code', cell: (entry) => <a href={entryHref(entry)}>{entry.key}</a> },
    {
      key: 'username',
      label: 'User name',
      cell: ({ username }) => (username ? <code>{username}</code> : <span class="muted">none</span>),
    },
    { key: 'description', label: 'Description', cell: ({ description }) => description },
    { key: 'uris', label: 'URIs', cell: ({ uris }) => <Uris uris={uris} /> },
    { key: 'source', label: 'Source', cell: (entry) => <Source entry={entry} /> },
    {
      key: 'value',
      label: 'Value',
      look: 'nowrap',
      cell: ({ value_changed_at }) => <Stored changed_at={value_changed_at} now={now} />,
    },
    {
      key: 'used',
      label: 'Last used',
      look: 'nowrap',
      cell: ({ last_used_at }) => <LastUsed at={last_used_at} now={now} />,
    },
  ];
}

function Nothing({ vault: { id, entry_count }, add }: { vault: Vault; add: preact.ComponentChild }) {
  if (entry_count > 0) {
    return <Empty action={<ButtonLink href={vaultHref(id)}>Show all</ButtonLink>}>No entry matches this filter.</Empty>;
  }
  return (
    <Empty action={add}>
      The vault is empty. An entry is one credential: a key to name it by, a user name, a value, and where it is used.
    </Empty>
  );
}
