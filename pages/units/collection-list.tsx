// The list of a collection, the same on every page: search, filter by state, order, file, pages, and what is done with the rows
// whose boxes are checked. What it offers comes from the declaration of the collection.
import type { ComponentChildren } from 'preact';
import * as v from 'valibot';
import type { RowKind, RowOf } from '../../shared/appliance/states/row-kinds.ts';
import { rowsInState } from '../../shared/appliance/states/rows-in-state.ts';
import type { Standing } from '../../shared/appliance/states/standing.ts';
import type { StateId } from '../../shared/appliance/states/state-ids.ts';
import { pageRoute } from '../../shared/ground/page-paths.ts';
import type { Database } from '../../shared/ground/store/database.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import type { UnitId } from '../../shared/platform/unit-names.ts';
import type { AnyCollection, Collection, Stored } from '../../shared/platform/units/collection.ts';
import { listItems, searchedOf, sortsOf } from '../../shared/platform/units/collection-store.ts';
import { ButtonLink } from '../components/button.tsx';
import type { FilterSelect } from '../components/filter-bar.tsx';
import { linkWith } from '../components/query.ts';
import type { Column } from '../components/table.tsx';
import type { ShellState } from '../layout/state.ts';
import { chosenIn } from './chosen-rows.tsx';
import { RowList } from './row-list.tsx';
import { Unapplied } from './row-words.tsx';
import { stateQuery, stateSelect } from './state-filter.ts';

/** Members of the query of a page with such a list. */
export const LIST_QUERY = {
  search: v.optional(v.pipe(v.string(), v.maxLength(255)), ''),
  sort: v.optional(v.pipe(v.string(), v.maxLength(64)), ''),
  state: stateQuery,
  cursor: v.optional(v.pipe(v.string(), v.maxLength(4096))),
};
const listQuery = v.object(LIST_QUERY);

type Asked = v.InferOutput<typeof listQuery>;

/** What a page of the list holds, and how it was asked for. */
export interface Listed<Item> {
  items: Item[];
  next: string | null;
  search: string;
  state: StateId | '';
  /** Query string of the list, also where a form of it was refused. */
  at: string;
}

/** Whether the list has rows, also where those that are asked for are none of them: then the way to add one stays where it is. */
export const hasRows = ({ items, at }: Pick<Listed<unknown>, 'items' | 'at'>): boolean => items.length > 0 || at !== '';

interface Reading<Kind extends RowKind, Item extends Stored> {
  collection: Collection<Item>;
  /** Null: no apply puts such rows in force. */
  of: Kind | null;
  standings: ReadonlyMap<UnitId, Standing>;
  query: Asked;
  outcome: FormOutcome | null;
  filters?: Readonly<Record<string, string | undefined>>;
  /** Other members of the page's query that the list goes by. */
  more?: Readonly<Record<string, string>>;
}

export async function readListed<Kind extends RowKind, Item extends Stored & (RowOf<Kind> | object)>(
  db: Database,
  { collection, of, standings, query, outcome, filters, more = {} }: Reading<Kind, Item>,
): Promise<Listed<Item>> {
  const sent = chosenIn(collection, outcome).of?.values;
  const { search, sort, state, cursor } = sent ? placeOf(sent.get('at') ?? '') : query;
  const read = (page: { limit: number; cursor: string | undefined }) =>
    listItems(db, collection, { ...page, search, sort, ...(filters && { filters }) });
  const found = await rowsInState<Kind, Item & RowOf<Kind>>({
    standings,
    of: of as Kind,
    state: of === null ? '' : state,
    cursor,
    read: read as never,
  });
  const named = { ...more, search, sort, state, cursor: cursor ?? '' };
  const at = new URLSearchParams(Object.entries(named).filter(([, value]) => value !== '')).toString();
  return { items: found.items, next: found.next_cursor, search, state, at };
}

/** Where a form says that its list stood; what is no place of a list is its beginning. */
export const placeOf = (text: string): Asked =>
  v.parse(v.fallback(listQuery, { search: '', sort: '', state: '' }), Object.fromEntries(new URLSearchParams(text)));

export interface CollectionListProps<Kind extends RowKind, Item extends Stored> {
  collection: Collection<Item>;
  of: Kind | null;
  listed: Listed<Item>;
  outcome: FormOutcome | null;
  state: ShellState;
  /** Path of the page. */
  href: string;
  caption: string;
  /** A column whose key is a member of the items sorts them. */
  columns: readonly [Column<Item>, ...Column<Item>[]];
  selects?: readonly FilterSelect[];
  /** Where an item is shown and edited. */
  itemHref?(item: Item): string;
  /** Of those that no other part of the appliance keeps. */
  choosable?(item: Item): boolean;
  dense?: boolean;
  /** When there is no item at all. */
  empty: ComponentChildren;
}

export function CollectionList<Kind extends RowKind, Item extends Stored>(props: CollectionListProps<Kind, Item>) {
  const { collection, of, listed, outcome, state, columns, selects = [], itemHref, choosable } = props;
  const { href, caption, empty } = props;
  const sorts = sortsOf(collection);
  const writes = state.user.scopes.includes(`write:${collection.resource}`);
  const importing = writes ? importOf(collection) : undefined;
  const verb = writes ? 'Edit' : 'Open';
  return (
    <RowList
      of={collection}
      listed={listed}
      outcome={outcome}
      csrf={state.csrf}
      href={href}
      action={writes ? `${pageRoute(collection.pages.all)}/chosen` : null}
      csv={csvOf(collection, listed.at)}
      {...(importing !== undefined && { importing })}
      caption={caption}
      searchLabel={searchLabel(collection)}
      columns={columns}
      sorts={sorts}
      own={ownOrder(collection, sorts)}
      selects={[...selects, ...(of === null ? [] : [stateSelect(listed.state)])]}
      above={of !== null && <Unapplied standings={state.standings} of={of} />}
      {...(choosable && { choosable })}
      {...(itemHref && {
        actions: (item: Item) => (
          <ButtonLink kind="row" href={itemHref(item)} label={`${verb} ${collection.title(item)}`}>
            {verb}
          </ButtonLink>
        ),
      })}
      empty={empty}
    />
  );
}

const ownOrder = ({ order }: AnyCollection, sorts: readonly string[]) => {
  const key = order.find((member) => sorts.includes(member));
  return key === undefined ? null : { key, descending: false };
};

const searchLabel = (collection: AnyCollection): string => {
  const [first = 'name'] = searchedOf(collection);
  return `Part of ${/^[aeio]/.test(first) ? 'an' : 'a'} ${first.replaceAll('_', ' ')} or another text`;
};

/** The file has what the list shows, on all of its pages. */
export const csvOf = (collection: AnyCollection, at = ''): string =>
  linkWith({ path: `${pageRoute(collection.pages.all)}.csv`, query: at }, {});

/** The page that reads such a file; undefined where no rows are read from files. */
export const importOf = ({ imports, pages }: AnyCollection): string | undefined =>
  imports && `${pageRoute(pages.all)}/import`;
