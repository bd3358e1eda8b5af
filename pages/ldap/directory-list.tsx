// A list of what the organisations hold: users, groups and bind accounts have the same page.
import type { ComponentChildren } from 'preact';
import * as v from 'valibot';
import type { StateId } from '../../shared/appliance/states/standing.ts';
import type { Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { Collection, Kept } from '../../shared/platform/units/collection.ts';
import { listItems } from '../../shared/platform/units/collection-store.ts';
import type { Organization } from '../../shared/services/ldap/organizations.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FilterBar } from '../components/filter-bar.tsx';
import { Pagination } from '../components/pagination.tsx';
import { type Column, DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { type RowKind, type RowOf, RowWord, Unapplied } from '../units/row-words.tsx';
import { rowsInState, stateQuery, stateSelect } from '../units/state-filter.ts';
import { allOrganizations, LDAP, organizationSelect } from './places.tsx';

interface DirectoryList<Kind extends RowKind, Item> {
  id: string;
  place: { href: string; label: string };
  of: Kind;
  /** `user`, in sentences and buttons. */
  noun: string;
  intro: string;
  columns: readonly Column<Item>[];
  empty: ComponentChildren;
}

interface Data<Item> {
  items: Item[];
  next: string | null;
  organizations: Organization[];
  organization_id: string;
  filter: StateId | '';
}

export function directoryList<Kind extends RowKind, Item extends Kept & { organization: string } & RowOf<Kind>>(
  collection: Collection<Item>,
  list: DirectoryList<Kind, Item>,
): Operation {
  return definePage({
    id: list.id,
    path: list.place.href,
    current: LDAP.href,
    access: { session: 'read:ldap' },
    query: v.object({
      organization_id: v.optional(v.pipe(v.string(), v.maxLength(64)), ''),
      state: stateQuery,
      cursor: v.optional(v.pipe(v.string(), v.maxLength(4096))),
    }),
    async load({ db, query, standings }): Promise<Data<Item>> {
      const { organization_id, state, cursor } = query;
      const filters = organization_id === '' ? {} : { organization_id };
      const [{ items, next_cursor }, all] = await Promise.all([
        rowsInState<Kind, Item>({
          standings,
          of: list.of,
          state,
          cursor,
          read: (page) => listItems(db, collection, { ...page, filters }),
        }),
        allOrganizations(db),
      ]);
      return { items, next: next_cursor, organizations: all, organization_id, filter: state };
    },
    title: () => list.place.label,
    view: (props: ViewProps<Data<Item>>) => <Listed {...props} collection={collection} list={list} />,
  });
}

interface ListedProps<Kind extends RowKind, Item extends Kept> extends ViewProps<Data<Item>> {
  collection: Collection<Item>;
  list: DirectoryList<Kind, Item>;
}

function Listed<Kind extends RowKind, Item extends Kept & { organization: string } & RowOf<Kind>>({
  data: { items, next, organizations, organization_id, filter },
  state,
  collection,
  list,
}: ListedProps<Kind, Item>) {
  const { place, noun, of } = list;
  const writes = state.user.scopes.includes('write:ldap');
  const here = { path: place.href, query: state.query };
  const filtered = filter !== '' || organization_id !== '';
  const within = organization_id === '' ? '' : `?organization_id=${encodeURIComponent(organization_id)}`;
  return (
    <>
      <PageHead title={place.label} intro={list.intro} trail={[LDAP]}>
        {writes && (
          <ButtonLink kind="primary" icon="plus" href={`${place.href}/new${within}`}>
            Add {noun}
          </ButtonLink>
        )}
      </PageHead>
      <Unapplied standings={state.standings} of={of} />
      {(items.length > 0 || filtered) && (
        <FilterBar place={here} selects={[organizationSelect(organizations, organization_id), stateSelect(filter)]} />
      )}
      <DataTable
        caption={`${place.label} by name`}
        columns={[
          {
            key: 'name',
            label: 'Name',
            look: 'code',
            cell: (item) => <a href={itemHref(place.href, item.id)}>{collection.title(item)}</a>,
          },
          { key: 'organization', label: 'Organization', cell: ({ organization }) => organization },
          ...list.columns,
          {
            key: 'state',
            label: 'State',
            look: 'nowrap',
            cell: (row) => <RowWord standings={state.standings} of={of} row={row} />,
          },
          { key: 'description', label: 'Description', cell: ({ description }) => description },
          {
            key: 'changed',
            label: 'Changed',
            look: 'nowrap',
            cell: ({ updated_at }) => <Instant at={updated_at} now={state.now} />,
          },
        ]}
        rows={items}
        rowKey={({ id }) => id}
        actions={(item) => (
          <ButtonLink
            kind="row"
            href={itemHref(place.href, item.id)}
            label={`${writes ? 'Edit' : 'Open'} ${collection.title(item)}`}
          >
            {writes ? 'Edit' : 'Open'}
          </ButtonLink>
        )}
        empty={
          filtered ? (
            <Empty>
              Nothing of that kind. <a href={place.href}>Show all</a>
            </Empty>
          ) : (
            <Empty>{list.empty}</Empty>
          )
        }
      />
      <Pagination place={here} nextCursor={next} />
    </>
  );
}
