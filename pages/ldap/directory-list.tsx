// A list of what the organisations hold: users, groups and bind accounts have the same page.
import type { ComponentChildren } from 'preact';
import * as v from 'valibot';
import type { RowKind, RowOf } from '../../shared/appliance/states/row-kinds.ts';
import type { Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { Collection, Kept } from '../../shared/platform/units/collection.ts';
import type { Organization } from '../../shared/services/ldap/organizations.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import type { Column } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { chosenIn } from '../units/chosen-rows.tsx';
import { CollectionList, LIST_QUERY, type Listed, readListed } from '../units/collection-list.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { RowWord } from '../units/row-words.tsx';
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
  listed: Listed<Item>;
  organizations: Organization[];
  organization_id: string;
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
      ...LIST_QUERY,
    }),
    async load({ db, query, outcome, standings }): Promise<Data<Item>> {
      const at = new URLSearchParams(chosenIn(collection, outcome).of?.values.get('at') ?? '');
      const organization_id = at.get('organization_id') ?? query.organization_id;
      const more = { organization_id };
      const filters = organization_id === '' ? {} : more;
      const [listed, all] = await Promise.all([
        readListed<Kind, Item>(db, { collection, of: list.of, standings, query, outcome, filters, more }),
        allOrganizations(db),
      ]);
      return { listed, organizations: all, organization_id };
    },
    title: () => list.place.label,
    view: (props: ViewProps<Data<Item>>) => <DirectoryRows {...props} collection={collection} list={list} />,
  });
}

interface RowsProps<Kind extends RowKind, Item extends Kept> extends ViewProps<Data<Item>> {
  collection: Collection<Item>;
  list: DirectoryList<Kind, Item>;
}

function DirectoryRows<Kind extends RowKind, Item extends Kept & { organization: string } & RowOf<Kind>>({
  data: { listed, organizations, organization_id },
  state,
  outcome,
  collection,
  list,
}: RowsProps<Kind, Item>) {
  const { place, noun, of } = list;
  const writes = state.user.scopes.includes('write:ldap');
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
      <CollectionList
        collection={collection}
        of={of}
        listed={listed}
        outcome={outcome}
        state={state}
        href={place.href}
        itemHref={({ id }) => itemHref(place.href, id)}
        selects={[organizationSelect(organizations, organization_id)]}
        caption={`${place.label} by name`}
        columns={[
          {
            key: collection.order[0]!,
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
            key: 'updated_at',
            label: 'Changed',
            look: 'nowrap',
            cell: ({ updated_at }) => <Instant at={updated_at} now={state.now} />,
          },
        ]}
        empty={<Empty>{list.empty}</Empty>}
      />
    </>
  );
}
