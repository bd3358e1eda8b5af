// The list of a collection, the same on every page: search, filter by state, order, file, pages, and what is done with the rows
// whose boxes are checked. What it offers comes from the declaration of the collection.
import type { ComponentChildren } from 'preact';
import * as v from 'valibot';
import type { RowKind, RowOf } from '../../shared/appliance/states/row-kinds.ts';
import { rowsInState } from '../../shared/appliance/states/rows-in-state.ts';
import type { Standing } from '../../shared/appliance/states/standing.ts';
import type { StateId } from '../../shared/appliance/states/state-ids.ts';
import { pageRoute } from '../../shared/ground/page-paths.ts';
import type { FieldError } from '../../shared/ground/problems.ts';
import type { Database } from '../../shared/ground/store/database.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import type { UnitId } from '../../shared/platform/unit-names.ts';
import type {
  AnyCollection,
  AnyServed,
  Collection,
  Served,
  Stored,
  Tagged,
} from '../../shared/platform/units/collection.ts';
import { listItems, searchedOf, sortsOf } from '../../shared/platform/units/collection-store.ts';
import { boxValue, namedBy } from '../../shared/platform/units/collection-together.ts';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { FilterBar, type FilterSelect } from '../components/filter-bar.tsx';
import { Form, FormActions, HiddenField } from '../components/form.tsx';
import { Pagination } from '../components/pagination.tsx';
import { linkWith, type Place } from '../components/query.ts';
import { Refusal } from '../components/refusal.tsx';
import { type Column, DataTable, sortOf } from '../components/table.tsx';
import { ON_APPLY } from '../layout/form-state.tsx';
import type { ShellState } from '../layout/state.ts';
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

/** What was chosen in the form of this list that was not carried out. */
export function chosenIn({ listed }: AnyServed, outcome: FormOutcome | null) {
  const of = outcome !== null && outcome.operation_id === `change${listed?.component}Form` ? outcome : null;
  return { ids: new Set(of?.values.getAll('ids').map((value) => namedBy(String(value)).id)), of };
}

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
  const { collection, of, listed, outcome, state, href, caption, columns, selects = [], itemHref, empty } = props;
  const { items, next, search, state: filter, at } = listed;
  const place: Place = { path: href, query: at };
  const filtered = search !== '' || filter !== '' || selects.some(({ value }) => value !== '');
  // The rows of this page may have been deleted: those of others are there.
  const later = new URLSearchParams(at).has('cursor');
  const sorts = sortsOf(collection);
  const writes = state.user.scopes.includes(`write:${collection.resource}`);
  const importing = writes ? importOf(collection) : undefined;
  const verb = writes ? 'Edit' : 'Open';
  const table = (
    <DataTable
      caption={caption}
      place={place}
      sort={sortOf(at, sorts) ?? ownOrder(collection, sorts)}
      columns={columns.map((column) => ({ ...column, sortable: sorts.includes(column.key) })) as never}
      rows={items}
      rowKey={({ id }) => id}
      {...(writes && items.length > 0 && { box: (item: Item) => <Box {...props} item={item} /> })}
      {...(itemHref && {
        actions: (item: Item) => (
          <ButtonLink kind="row" href={itemHref(item)} label={`${verb} ${collection.title(item)}`}>
            {verb}
          </ButtonLink>
        ),
      })}
      empty={
        later ? (
          <Empty action={<ButtonLink href={linkWith(place, { cursor: null })}>Show the first page</ButtonLink>}>
            There is nothing on this page of the list.
          </Empty>
        ) : filtered ? (
          <NoneFound href={href} noun={collection.listed!.noun} />
        ) : (
          empty
        )
      }
    />
  );
  return (
    <>
      <Answer collection={collection} outcome={outcome} />
      {of !== null && <Unapplied standings={state.standings} of={of} />}
      {items.length > 0 || filtered || later ? (
        <ListBar
          collection={collection}
          of={of}
          listed={listed}
          place={place}
          selects={selects}
          importing={importing}
        />
      ) : (
        importing !== undefined && (
          <p class="muted">
            <a href={importing}>Import CSV</a>
          </p>
        )
      )}
      {writes && items.length > 0 ? (
        <Together {...props} csrf={state.csrf}>
          {table}
        </Together>
      ) : (
        table
      )}
      <Pagination place={place} nextCursor={next} />
    </>
  );
}

interface ListBarProps {
  collection: AnyCollection;
  of: RowKind | null;
  listed: { search: string; state: StateId | ''; at: string };
  place: Place;
  selects: readonly FilterSelect[];
  importing: string | undefined;
}

function ListBar({ collection, of, listed: { search, state, at }, place, selects, importing }: ListBarProps) {
  return (
    <FilterBar
      place={place}
      search={{ name: 'search', label: searchLabel(collection), value: search }}
      selects={[...selects, ...(of === null ? [] : [stateSelect(state)])]}
      csv={csvOf(collection, at)}
      importing={importing}
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

function NoneFound({ href, noun }: { href: string; noun: string }) {
  return <Empty action={<ButtonLink href={href}>Show all</ButtonLink>}>No {noun} matches this filter.</Empty>;
}

const formOf = ({ table }: AnyServed): string => `chosen-${table}`;
const boxOf = (id: string): string => `choose-${id}`;

interface BoxProps<Item extends Tagged> {
  collection: Served<Item>;
  outcome: FormOutcome | null;
  item: Item;
  choosable?(item: Item): boolean;
}

/** The box of a row; those that another part of the appliance keeps have none. */
export function Box<Item extends Tagged>({ collection, outcome, item, choosable = () => true }: BoxProps<Item>) {
  if (!choosable(item)) return <span class="box" />;
  return (
    <input
      type="checkbox"
      class="box"
      name="ids"
      value={boxValue(item)}
      id={boxOf(item.id)}
      checked={chosenIn(collection, outcome).ids.has(item.id)}
      aria-label={`Choose ${collection.title(item)}`}
    />
  );
}

/** Faults lead to the box of their row, others to the buttons. Nothing while all there is to say is the question. */
export function Answer({ collection, outcome }: { collection: AnyServed; outcome: FormOutcome | null }) {
  const { of } = chosenIn(collection, outcome);
  if (!of?.problem || asksToDelete(of)) return null;
  const ids = of.values.getAll('ids');
  const faults = (of.problem.errors as FieldError[] | undefined) ?? [];
  const errors = faults.map(({ pointer, detail }) => {
    const at = /^\/ids\/(\d+)$/.exec(pointer)?.[1];
    return {
      pointer: `/${at === undefined ? formOf(collection) : boxOf(namedBy(String(ids[Number(at)] ?? '')).id)}`,
      detail,
    };
  });
  if (errors.length === 0 || of.problem.blockers) return <Refusal problem={of.problem} title="Nothing was saved" />;
  return <ErrorSummary errors={errors} />;
}

const asksToDelete = ({ problem }: FormOutcome): boolean =>
  ((problem?.errors as FieldError[] | undefined) ?? []).every(({ pointer }) => pointer === '/confirm') &&
  problem?.errors !== undefined;

interface TogetherProps<Item extends Tagged> {
  collection: Served<Item>;
  listed: Pick<Listed<Item>, 'items' | 'at'>;
  /** The page, and where its form is posted to, where the collection does not say so. */
  home?: string;
  action?: string;
  outcome: FormOutcome | null;
  csrf: string;
  children: ComponentChildren;
}

/** The list as a form. Where it stands goes along, so that it is shown again as it was. */
export function Together<Item extends Tagged>({
  collection,
  listed,
  outcome,
  csrf,
  home = pageRoute(collection.pages.home),
  action = `${pageRoute(collection.pages.all)}/chosen`,
  children,
}: TogetherProps<Item>) {
  const { noun, nouns } = collection.listed!;
  const { ids, of } = chosenIn(collection, outcome);
  const chosen = listed.items.filter(({ id }) => ids.has(id));
  // Without any of them on the page there is nothing to ask about.
  const asked = of !== null && asksToDelete(of) && chosen.length > 0;
  const note = collection.effect === undefined ? ` ${ON_APPLY}` : '';
  return (
    <Form action={action} csrf={csrf} label={`Chosen ${nouns}`} id={formOf(collection)}>
      <HiddenField name="at" value={listed.at} />
      {of !== null && asksToDelete(of) && !asked && (
        <Note>None of the rows that you chose is on this page of the list any more. Nothing was deleted.</Note>
      )}
      {asked && (
        <div class="block">
          <h3>{chosen.length === 1 ? `Delete this ${noun}?` : `Delete these ${chosen.length} ${nouns}?`}</h3>
          <p>{chosen.map((item) => collection.title(item)).join(', ')}</p>
          <div class="actions">
            <Button kind="bad" name="confirm" value="on">
              Yes, delete
            </Button>
            <HiddenField name="verb" value="delete" />
            <ButtonLink href={`${home}${listed.at && `?${listed.at}`}`}>Keep</ButtonLink>
          </div>
        </div>
      )}
      <p class="check-all" hidden data-choose="ids">
        <Button type="button" value="all">
          Choose all shown
        </Button>
        <Button type="button" value="none">
          Choose none
        </Button>
      </p>
      {children}
      {!asked && (
        <FormActions note={`All of the chosen ${nouns}, or none of them.${note}`}>
          <Button name="verb" value="enable" label={`Enable the chosen ${nouns}`}>
            Enable
          </Button>
          <Button name="verb" value="disable" label={`Disable the chosen ${nouns}`}>
            Disable
          </Button>
          <Button kind="bad" name="verb" value="delete" label={`Delete the chosen ${nouns}`}>
            Delete…
          </Button>
        </FormActions>
      )}
    </Form>
  );
}
