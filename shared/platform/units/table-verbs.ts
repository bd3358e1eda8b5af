// The verbs of a collection: its own ones, and for the rest those of a table of the declared shape.
import { pageLimit } from '../../ground/schemas/component.ts';
import type { Changing, Collection, Draft, Served, Shell, Stored, Tagged, Verbs } from './collection.ts';
import { createItem, deleteItem, findItem, listItems, updateItem } from './collection-store.ts';

export function verbsOf<Item extends Tagged>(served: Served<Item>): Verbs<Item> {
  const { verbs } = served;
  return { ...('columns' in served && tableVerbs(served as never)), ...verbs } as Verbs<Item>;
}

function tableVerbs<Item extends Stored>(collection: Collection<Item>): Verbs<Item> {
  const idIn = (params: Record<string, string>): string => params[collection.param]!;
  const detailOf = (item: Item) => ({ title: collection.title(item), ...collection.facts(item) });
  return {
    list({ db, query: { limit, cursor, ...filters } }) {
      return listItems(db, collection, { filters, limit: pageLimit(limit), cursor });
    },
    find: ({ db, params }) => findItem(db, collection, idIn(params)),
    async create(context) {
      const item = await createItem(context.tx, shellOf(context), collection, context.body as Draft);
      return { item, detail: detailOf(item) };
    },
    async update(context) {
      const { tx, params, body, request } = context;
      const saved = await updateItem(tx, shellOf(context), collection, idIn(params), body as Draft, request.if_match);
      const was = former(collection, saved.before, saved.item);
      const more = { changed: saved.changed, ...(Object.keys(was).length > 0 && { was }) };
      return { item: saved.item, detail: { ...detailOf(saved.item), ...more } };
    },
    async remove({ tx, services, params, request }) {
      const item = await deleteItem(tx, services, collection, idIn(params), request.if_match);
      return { item, detail: detailOf(item) };
    },
  };
}

const shellOf = ({ services: { clock, entropy, keys }, actor }: Pick<Changing, 'services' | 'actor'>): Shell => ({
  clock,
  entropy,
  keys,
  actor,
});

/** The previous values of facts that changed. */
function former<Item extends Stored>(collection: Collection<Item>, before: Item, after: Item): Record<string, unknown> {
  const now = collection.facts(after);
  return Object.fromEntries(
    Object.entries(collection.facts(before)).filter(([name, value]) => !sameJson(value, now[name])),
  );
}

const sameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
