// REST operations of a collection: the same five verbs for every one, so that a handler only says what is its own.
import * as v from 'valibot';
import type { ErrorCode } from '../../ground/problems.ts';
import { anyCase, idParam, PAGE_QUERY, pageLimit } from '../../ground/schemas/component.ts';
import { defineOperation, type Operation } from '../../kernel/operation/define-operation.ts';
import type { MutationContext } from '../../kernel/operation/operation.ts';
import type { Collection, ColumnKind, Draft, Kept, Shell } from './collection.ts';
import { createItem, deleteItem, findItem, kindOf, listItems, updateItem, visible } from './collection-store.ts';

export interface Words {
  /** `listDhcpScopes` */
  id: string;
  summary: string;
  /** Rules and choices; what saving means is said before it, what a partial edit means after it. */
  description: string;
  /** Codes beyond those of the verb. */
  problems?: ErrorCode[];
}

const ON_APPLY = 'Saves desired state only; the host follows at the next reviewed apply.';
const PARTIAL =
  'Omitted properties keep their value; values equal to the saved ones change nothing and keep the revision.';
const STALE: readonly ErrorCode[] = ['resource_not_found', 'revision_stale', 'malformed_precondition'];

const TRUTH = v.picklist(['true', 'false'], 'Expected true or false.');
const LOOKUPS = {
  boolean: TRUTH,
  integer: v.pipe(v.string(), v.regex(/^(?:0|[1-9][0-9]{0,14})$/, 'Expected a whole number.')),
} as const satisfies Partial<Record<ColumnKind, v.GenericSchema<string>>>;
const TEXT = v.pipe(v.string(), v.minLength(1, 'Must not be empty.'), v.maxLength(255, 'At most 255 characters.'));

const sentences = (...parts: string[]): string => parts.filter(Boolean).join(' ');

/** What all operations of a collection have in common. */
function shared<Item extends Kept>(collection: Collection<Item>, words: Words) {
  const { id, summary } = words;
  return { id, summary, tag: collection.tag, plane: 'api' as const };
}

const bulk = <Item extends Kept>({ bodyLimit }: Collection<Item>) => (bodyLimit === undefined ? {} : { bodyLimit });

function one<Item extends Kept>(collection: Collection<Item>) {
  const { path, param, noun } = collection;
  return { path: `${path}/{${param}}`, params: idParam(param, `Id of the ${noun}.`) };
}

const saves = <Item extends Kept>({ saves: own }: Collection<Item>): string => own ?? ON_APPLY;

/** `GET` of the collection: pages, and a filter for each lookup. */
export function listOperation<Item extends Kept>(collection: Collection<Item>, words: Words): Operation {
  const lookups = collection.lookups.map((member) => {
    const kind = kindOf(collection, member);
    const schema: v.GenericSchema<string> = kind === 'boolean' || kind === 'integer' ? LOOKUPS[kind] : TEXT;
    const text = `Only items with exactly this \`${member}\`.`;
    const words = collection.words?.[member];
    return [member, v.optional(words ? anyCase(words, text) : v.pipe(schema, v.description(text)))] as const;
  });
  const query = v.strictObject({ ...Object.fromEntries(lookups), ...PAGE_QUERY });
  return defineOperation({
    ...shared(collection, words),
    method: 'GET',
    path: collection.path,
    access: { scope: `read:${collection.resource}` },
    effect: 'read',
    description: words.description,
    query,
    answers: {
      200: { description: 'A page of the list; `next_cursor` leads to the next.', schema: collection.schemas.list },
    },
    problems: ['invalid_cursor', ...(words.problems ?? [])],
    async run({ db, query: { limit, cursor, ...filters } }) {
      const { items, next_cursor } = await listItems(db, collection, { filters, limit: pageLimit(limit), cursor });
      return { body: { items: items.map((item) => visible(collection, item)), next_cursor } };
    },
  });
}

export function getOperation<Item extends Kept>(collection: Collection<Item>, words: Words): Operation {
  return defineOperation({
    ...shared(collection, words),
    ...one(collection),
    method: 'GET',
    access: { scope: `read:${collection.resource}` },
    effect: 'read',
    description: words.description,
    answers: {
      200: {
        description: `The ${collection.noun}, with the entity tag that If-Match takes.`,
        schema: collection.schemas.item,
        tagged: true,
      },
    },
    problems: ['resource_not_found', ...(words.problems ?? [])],
    async run({ db, params }) {
      const item = await findItem(db, collection, params[collection.param]!);
      return { body: visible(collection, item), revision: item.revision };
    },
  });
}

export type Context = Pick<
  MutationContext<Record<string, string>, unknown, unknown>,
  'tx' | 'services' | 'actor' | 'params' | 'request' | 'audit'
>;

const shellOf = ({ services: { clock, entropy, keys }, actor }: Pick<Context, 'services' | 'actor'>): Shell => ({
  clock,
  entropy,
  keys,
  actor,
});

function audited<Item extends Kept>(
  collection: Collection<Item>,
  { audit }: Pick<Context, 'audit'>,
  verb: 'create' | 'update' | 'delete',
  item: Item,
  more: Record<string, unknown> = {},
): void {
  audit({
    action: `${collection.action}.${verb}`,
    resource_type: collection.table,
    resource_id: item.id,
    detail: { title: collection.title(item), ...collection.facts(item), ...more },
  });
}

/** Facts that differ, as they were. */
function former<Item extends Kept>(collection: Collection<Item>, before: Item, after: Item): Record<string, unknown> {
  const now = collection.facts(after);
  return Object.fromEntries(
    Object.entries(collection.facts(before)).filter(([name, value]) => !sameJson(value, now[name])),
  );
}

const sameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export function createOperation<Item extends Kept>(collection: Collection<Item>, words: Words): Operation {
  const { noun, action, schemas } = collection;
  return defineOperation({
    ...shared(collection, words),
    method: 'POST',
    path: collection.path,
    access: { scope: `write:${collection.resource}` },
    effect: 'desired-state',
    description: sentences(saves(collection), words.description),
    body: schemas.create,
    ...bulk(collection),
    answers: { 201: { description: `The ${noun} that was created.`, schema: schemas.item, tagged: true } },
    problems: ['already_exists', 'state_conflict', ...(words.problems ?? [])],
    audit: [`${action}.create`],
    async run({ tx, services, actor, body, audit }) {
      const item = await createItem(tx, shellOf({ services, actor }), collection, body as Draft);
      audited(collection, { audit }, 'create', item);
      return { status: 201, body: visible(collection, item), revision: item.revision };
    },
  });
}

export function updateOperation<Item extends Kept>(collection: Collection<Item>, words: Words): Operation {
  const { noun, action, schemas, param } = collection;
  return defineOperation({
    ...shared(collection, words),
    ...one(collection),
    method: 'PATCH',
    access: { scope: `write:${collection.resource}` },
    effect: 'desired-state',
    description: sentences(saves(collection), words.description, PARTIAL),
    body: schemas.update,
    ...bulk(collection),
    answers: { 200: { description: `The ${noun} as saved now.`, schema: schemas.item, tagged: true } },
    problems: [...STALE, 'already_exists', 'state_conflict', 'still_referenced', ...(words.problems ?? [])],
    audit: [`${action}.update`],
    async run({ tx, services, actor, params, body, request, audit }) {
      const shell = shellOf({ services, actor });
      const saved = await updateItem(tx, shell, collection, params[param]!, body as Draft, request.if_match);
      const was = former(collection, saved.before, saved.item);
      const more = { changed: saved.changed, ...(Object.keys(was).length > 0 && { was }) };
      audited(collection, { audit }, 'update', saved.item, more);
      return { body: visible(collection, saved.item), revision: saved.item.revision };
    },
  });
}

/** Deletes the item that the path names, and answers what it was. */
export async function removed<Item extends Kept>(collection: Collection<Item>, context: Context): Promise<Item> {
  const { tx, services, params, request } = context;
  const item = await deleteItem(tx, services, collection, params[collection.param]!, request.if_match);
  audited(collection, context, 'delete', item);
  return item;
}

export function deleteOperation<Item extends Kept>(collection: Collection<Item>, words: Words): Operation {
  return defineOperation({
    ...shared(collection, words),
    ...one(collection),
    method: 'DELETE',
    access: { scope: `write:${collection.resource}` },
    effect: 'desired-state',
    description: sentences(saves(collection), words.description),
    answers: { 204: { description: `The ${collection.noun} is gone from the desired state.` } },
    problems: [...STALE, 'state_conflict', 'still_referenced', ...(words.problems ?? [])],
    audit: [`${collection.action}.delete`],
    async run(context) {
      await removed(collection, context as Context);
      return { status: 204 };
    },
  });
}
