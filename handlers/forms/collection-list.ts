// What the list of a collection offers besides its pages: the file, and what is done with the rows that were chosen. Both come
// from the declaration of the collection.
import * as v from 'valibot';
import type { RowKind, RowOf } from '../../shared/appliance/states/row-kinds.ts';
import type { StateId } from '../../shared/appliance/states/state-ids.ts';
import { csvHeaders } from '../../shared/ground/csv.ts';
import { pageRoute } from '../../shared/ground/page-paths.ts';
import type { Transaction } from '../../shared/ground/store/database.ts';
import { defineForm, defineOperation, type Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { FormFields } from '../../shared/kernel/operation/operation.ts';
import type { AnyServed, Collection, Served, Stored, Tagged } from '../../shared/platform/units/collection.ts';
import { allItems, collectionParts } from '../../shared/platform/units/collection-csv.ts';
import type { Context } from '../../shared/platform/units/collection-operations.ts';
import { type Chosen, changeTogether, chosenSchema, VERBS } from '../../shared/platform/units/collection-together.ts';
import { fileState, inState } from './file-state.ts';

function listedOf({ listed, table }: AnyServed) {
  if (!listed) throw new Error(`The collection ${table} has no words of its list.`);
  return listed;
}

const text = v.optional(v.pipe(v.string(), v.maxLength(255)), '');

export interface Download<Kind> {
  /** What its rows are to an apply; null: nothing, so that its list has no filter by state. */
  of: Kind | null;
  /** Lookups that the list goes by as well. */
  filters?: readonly string[];
}

/** `GET …/<collection>.csv`: what the list shows by its search, filters and order, on all of its pages. */
export function downloadOf<Kind extends RowKind, Item extends Stored & (RowOf<Kind> | object)>(
  collection: Collection<Item>,
  { of, filters = [] }: Download<Kind>,
): Operation {
  const { component, nouns } = listedOf(collection);
  const file = collection.pages.all.replace(/.*\//, '');
  return defineOperation({
    id: `download${component}`,
    method: 'GET',
    path: `${pageRoute(collection.pages.all)}.csv`,
    plane: 'management',
    access: { session: `read:${collection.resource}` },
    tag: 'Pages',
    summary: `The ${nouns} as CSV`,
    description:
      'Those that the list shows by its search, filters and order, on all of its pages, for a spreadsheet. A column for each member that the API answers. They are read as they are sent.',
    query: v.strictObject({
      search: text,
      sort: text,
      state: fileState,
      ...Object.fromEntries(filters.map((name) => [name, text])),
    }),
    answers: { 200: { description: 'The file (RFC 4180).' } },
    async run({ db, services, query }) {
      const asked = query as Record<string, string>;
      const { search, sort } = asked;
      const state = asked.state as StateId | '';
      const given = Object.fromEntries(filters.flatMap((name) => (asked[name] ? [[name, asked[name]]] : [])));
      const all = allItems(db, collection, { search, sort, filters: given });
      const found = of === null ? all : await inState<Kind, Item & RowOf<Kind>>(services, of, state, all as never);
      return { parts: collectionParts(db, collection, found), headers: csvHeaders(file) };
    },
  });
}

/** What of a list's address goes along with its form, so that it is shown again as it was. */
const KEPT = ['search', 'type', 'sort', 'state', 'organization_id', 'cursor'];

function place(fields: FormFields): string {
  const query = new URLSearchParams();
  const at = new URLSearchParams(fields.text('at'));
  for (const name of KEPT) if (at.has(name)) query.set(name, at.get(name)!);
  return query.size > 0 ? `?${query}` : '';
}

const WAS = { delete: 'deleted', enable: 'enabled', disable: 'disabled' } as const;

export interface ChosenForm<Item> {
  /** The page with the list; by default the home of the collection. */
  page?: string;
  path?: string;
  /** Of its path. */
  params?: v.GenericSchema<Record<string, string>>;
  /** @throws Problem 404 when what the path names is not there. */
  within?(tx: Transaction, params: Record<string, string>): Promise<unknown>;
  /** Whether a row is one of what the path names. */
  belongs?(item: Item, params: Record<string, string>): boolean;
}

/** `POST …/<collection>/chosen`: deletes, enables or disables the rows whose boxes were checked, all of them or none. */
export function chosenForm<Item extends Tagged>(
  collection: Served<Item>,
  {
    page = pageRoute(collection.pages.home),
    path = `${pageRoute(collection.pages.all)}/chosen`,
    params,
    within,
    belongs = () => true,
  }: ChosenForm<Item> = {},
): Operation {
  const { component, noun, nouns } = listedOf(collection);
  const { action, effect = 'desired-state', resource, tag } = collection;
  return defineForm(
    {
      id: `change${component}Form`,
      path,
      access: { session: `write:${resource}` },
      effect,
      tag,
      summary: `Delete, enable or disable many ${nouns}`,
      description: `Each of the chosen ${nouns} by the rules of one ${noun}, in one transaction: all of them or none. A row that somebody changed since it was shown is not deleted. Deleting without a confirmation shows the list again, with the question.`,
      ...(params && { params }),
      body: chosenSchema,
      problems: ['resource_not_found', 'already_exists', 'state_conflict', 'still_referenced'],
      audit: [`${action}.delete`, `${action}.update`],
      async run(context) {
        const params = context.params as Record<string, string>;
        await within?.(context.tx, params);
        const all = context as unknown as Context;
        const items = await changeTogether(collection, all, context.body as Chosen, (item) => belongs(item, params));
        return { body: { count: items.length } };
      },
    },
    {
      page,
      decode: (fields) => ({ ids: fields.all('ids'), verb: fields.text('verb'), confirm: fields.checked('confirm') }),
      done(answer, fields, given) {
        const { count } = answer.body as { count: number };
        const verb = VERBS.find((each) => each === fields.text('verb')) ?? 'delete';
        const said = count === 1 ? `1 ${noun} is` : `${count} ${nouns} are`;
        const home = page.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(given[name] ?? ''));
        return { location: `${home}${place(fields)}`, flash: `${said} ${WAS[verb]}.` };
      },
    },
  );
}
