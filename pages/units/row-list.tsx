// The one list, with the head of its page where a page is one list: search, choices, order by the head of a column, pages, file, and what is done with the rows whose boxes are
// checked. Lists of collections come from their declaration (collection-list.tsx); others say here what they offer.
import type { ComponentChildren } from 'preact';
import * as v from 'valibot';
import type { ListVerb } from '../../shared/ground/list-words.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FilterBar, type FilterSegments, type FilterSelect } from '../components/filter-bar.tsx';
import { Pagination } from '../components/pagination.tsx';
import { linkBy, linkWith, type Place } from '../components/query.ts';
import { type Column, DataTable, type Sort, sortOf } from '../components/table.tsx';
import { PageHead, type PageHeadProps } from '../layout/shell.tsx';
import { Answer, type AnyChoosing, Box, type Choosing, chosenIn, Together } from './chosen-rows.tsx';

const word = v.optional(v.pipe(v.string(), v.maxLength(255)), '');

/** Members of the query of a page with such a list, beside choices of its own. */
export const ROW_QUERY = {
  search: word,
  sort: word,
  state: word,
  cursor: v.optional(v.pipe(v.string(), v.maxLength(4096))),
};

/** Where the list stands: as the address says, or as the form says that was not carried out. */
export function askedOf<Query extends Record<string, string | undefined>>(
  collection: AnyChoosing,
  outcome: FormOutcome | null,
  query: Query,
): Query {
  const sent = chosenIn(collection, outcome).of?.values.get('at');
  if (typeof sent !== 'string') return query;
  const at = new URLSearchParams(sent);
  const kept = Object.keys({ search: '', sort: '', state: '', ...query }).map((name) => [name, short(at.get(name))]);
  return { ...Object.fromEntries(kept), cursor: at.get('cursor') ?? undefined } as Query;
}

const short = (text: string | null): string => (text !== null && text.length <= 255 ? text : '');

/** The same as the query string of the page. */
export const placeText = (query: Readonly<Record<string, string | undefined>>): string =>
  new URLSearchParams(
    Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== ''),
  ).toString();

/** What a page of the list holds. */
export interface ListedRows<Row> {
  items: readonly Row[];
  next: string | null;
  /** Query string of the list, also where a form of it was refused. */
  at: string;
}

export interface RowListProps<Row extends { id: string }> {
  /** Its words, and what is done with chosen rows; a word alone where nothing is done with several of them. */
  of: Choosing<Row> | string;
  listed: ListedRows<Row>;
  outcome: FormOutcome | null;
  csrf: string;
  /** Path of the page. */
  href: string;
  /** Path of the form for chosen rows; null: there is none, or the person may not. */
  action?: string | null;
  /** The file with what the list shows: its path and the members of the query that it goes by, or its whole address. */
  csv?: { path: string; by: readonly string[] } | string;
  /** The page that reads such a file. */
  importing?: string;
  caption: string;
  /** None: it is not searched. */
  searchLabel?: string;
  /** A column whose key is one of `sorts` sorts them. */
  columns: readonly [Column<Row>, ...Column<Row>[]];
  sorts?: readonly string[];
  /** The own order, where it is that of a column. */
  own?: Sort | null;
  selects?: readonly FilterSelect[];
  segments?: FilterSegments;
  note?: ComponentChildren;
  choosable?(row: Row): boolean;
  actions?(row: Row): ComponentChildren;
  asking?(verb: ListVerb, of: FormOutcome): ComponentChildren;
  /** Around the table: what is refreshed as things happen. */
  live?(table: ComponentChildren): ComponentChildren;
  /** Between the answer to a form and the filters. */
  above?: ComponentChildren;
  /** When there is no row at all. */
  empty: ComponentChildren;
}

/** The page of a list: what it is, what adds to it and where else its head leads. Then the list itself. */
export interface ListPageProps<Row extends { id: string }> extends RowListProps<Row> {
  head: Omit<PageHeadProps, 'children'>;
  /** The primary button; with `addFirst`, it stands in the head only once there are rows, since the empty list offers it. */
  add?: ComponentChildren;
  addFirst?: boolean;
  /** Other links of the head. */
  more?: ComponentChildren;
  /** Between the head and the list. */
  notice?: ComponentChildren;
}

export function ListPage<Row extends { id: string }>(props: ListPageProps<Row>) {
  const { head, add, addFirst = false, more, notice, ...list } = props;
  return (
    <>
      <PageHead {...head}>
        {!addFirst && add}
        {more}
      </PageHead>
      {notice}
      <RowList {...list} />
    </>
  );
}

export function RowList<Row extends { id: string }>(props: RowListProps<Row>) {
  const { of, listed, outcome, csrf, href, action = null, choosable, asking, live = (table) => table } = props;
  const { items, next, at } = listed;
  const place: Place = { path: href, query: at };
  const together = typeof of === 'string' ? null : of;
  const chooses = together !== null && action !== null && items.length > 0;
  const boxed = { outcome, ...(choosable && { choosable }) };
  const box = chooses ? (row: Row) => <Box collection={together} {...boxed} item={row} /> : null;
  const table = live(<Rows {...props} place={place} filtered={isFiltered(props)} box={box} />);
  return (
    <>
      {together && <Answer collection={together} outcome={outcome} />}
      {props.above}
      <Filters {...props} place={place} />
      {chooses ? (
        <Together
          collection={together}
          listed={listed}
          home={href}
          action={action}
          outcome={outcome}
          csrf={csrf}
          {...(asking && { asking })}
        >
          {table}
        </Together>
      ) : (
        table
      )}
      <Pagination place={place} nextCursor={next} />
    </>
  );
}

function isFiltered<Row extends { id: string }>({ listed, selects = [], segments }: RowListProps<Row>): boolean {
  const search = new URLSearchParams(listed.at).get('search') ?? '';
  return search !== '' || selects.some(({ value }) => value !== '') || (segments?.value ?? '') !== '';
}

/** Nothing is looked for in an empty list, but a file may fill it. */
function Filters<Row extends { id: string }>(props: RowListProps<Row> & { place: Place }) {
  const { listed, place, searchLabel, selects = [], segments, note, csv, importing } = props;
  const asked = new URLSearchParams(listed.at);
  if (listed.items.length === 0 && !isFiltered(props) && !asked.has('cursor')) {
    if (importing === undefined) return null;
    return (
      <p class="muted">
        <a href={importing}>Import CSV</a>
      </p>
    );
  }
  return (
    <FilterBar
      place={place}
      {...(searchLabel !== undefined && {
        search: { name: 'search', label: searchLabel, value: asked.get('search') ?? '' },
      })}
      selects={selects}
      {...(segments && { segments })}
      {...(note !== undefined && { note })}
      {...(csv !== undefined && { csv: typeof csv === 'string' ? csv : linkBy(csv.path, asked, csv.by) })}
      importing={importing}
    />
  );
}

interface RowsProps<Row extends { id: string }> extends RowListProps<Row> {
  place: Place;
  filtered: boolean;
  box: ((row: Row) => ComponentChildren) | null;
}

function Rows<Row extends { id: string }>(props: RowsProps<Row>) {
  const { of, listed, caption, columns, sorts = [], own = null, place, filtered, box, actions, empty } = props;
  // The rows of this page may have been deleted: those of others are there.
  const later = new URLSearchParams(listed.at).has('cursor');
  return (
    <DataTable
      caption={caption}
      place={place}
      sort={sortOf(listed.at, sorts) ?? own}
      columns={columns.map((column) => ({ ...column, sortable: sorts.includes(column.key) })) as never}
      rows={listed.items}
      rowKey={({ id }) => id}
      {...(box && { box })}
      {...(actions && { actions })}
      empty={
        later ? (
          <Empty action={<ButtonLink href={linkWith(place, { cursor: null })}>Show the first page</ButtonLink>}>
            There is nothing on this page of the list.
          </Empty>
        ) : filtered ? (
          <Empty action={<ButtonLink href={place.path}>Show all</ButtonLink>}>
            No {typeof of === 'string' ? of : of.listed!.noun} matches this filter.
          </Empty>
        ) : (
          empty
        )
      }
    />
  );
}
