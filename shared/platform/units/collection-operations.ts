// REST operations of a collection: the same five verbs for all, so that a handler has only what is special about its
// own.
import * as v from 'valibot';
import type { ErrorCode } from '../../ground/problems.ts';
import { anyCase, idParam, PAGE_QUERY } from '../../ground/schemas/component.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { defineOperation, type Operation } from '../../kernel/operation/define-operation.ts';
import type { MutationContext } from '../../kernel/operation/operation.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { AnyCollection, AnyServed, Asking, Changing, ColumnKind, Draft, Served, Tagged } from './collection.ts';
import { kindOf, visible } from './collection-store.ts';
import { verbsOf } from './table-verbs.ts';

export interface Words {
  /** `listDhcpScopes` */
  id: string;
  summary: string;
  /** Rules and choices. What saving means goes before it, what a partial edit means after it. */
  description: string;
  /** Codes beyond those of the verb. */
  problems?: ErrorCode[];
  /** Conflicts, where they differ from the verb's usual ones. */
  conflicts?: ErrorCode[];
}

export interface MutationWords extends Words {
  /** Slow work before the transaction; what it answers stands for the body. */
  prepare?(context: Pick<Context, 'actor' | 'body'>): Promise<Draft>;
  /** False: it goes on under the mutation lock, as MutationSpec says. */
  guarded?: false;
}

export interface CreateWords extends MutationWords {
  /** What follows in the same transaction, in parts of the appliance that the collection does not know. */
  follows?(tx: Transaction, services: Services): Promise<void>;
}

export interface DeleteWords extends Omit<MutationWords, 'prepare'> {
  /** Query parameters, for what may go with it. */
  query?: v.ObjectEntries;
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

/** What saving means, the rules, and what a partial edit means. */
function described({ saves = ON_APPLY }: AnyServed, { description }: Words, partial = ''): string {
  return saves === null ? description : [saves, description, partial].filter(Boolean).join(' ');
}

/** What all operations of a collection have in common. */
function shared(served: AnyServed, words: Words) {
  const { tag, path, within } = served;
  const { id, summary } = words;
  return { id, summary, tag, path, ...(within && { params: v.strictObject(within) }) };
}

function one(served: AnyServed, words: Words) {
  const { path, param, noun, within } = served;
  const params = v.strictObject({ ...within, ...idParam(param, `Id of the ${noun}.`).entries });
  return { ...shared(served, words), path: `${path}/{${param}}`, params };
}

/** What of the words goes into the declaration of a mutation as it is. */
const mutating = ({ prepare, guarded }: MutationWords) => ({
  ...(prepare && { prepare }),
  ...(guarded === false && { guarded }),
});

/** The context of a verb. */
const verbContext = (context: object): Context => {
  const { prepared, ...asked } = context as Context & { prepared?: Draft };
  return prepared === undefined ? asked : { ...asked, body: prepared };
};

const bulk = ({ bodyLimit }: AnyServed) => (bodyLimit === undefined ? {} : { bodyLimit });

/** Of a collection that is not desired state and takes a dry run all the same. */
const dryOf = ({ dryRun }: AnyServed) => (dryRun ? { dryRun } : {});

/** Each of them is a mutation; one literal says so to the type of an operation. */
const effectOf = ({ effect }: AnyServed) => (effect ?? 'desired-state') as 'desired-state';

const BLANKS: Readonly<Partial<Record<ColumnKind, unknown>>> = { text: '', integer: 0, boolean: false, json: [] };

/** Values for members that a create needs and a caller may leave out: the default, or the blank of the column. */
function standIns(served: object): Record<string, unknown> {
  const { columns = {}, defaults = {}, words } = served as Partial<AnyCollection>;
  const blanks = Object.entries(columns).flatMap(([name, kind]) =>
    typeof kind === 'string' ? [[name, words?.[name]?.[0] ?? BLANKS[kind]]] : [],
  );
  return { ...Object.fromEntries(blanks), ...defaults };
}

/** A query parameter for each lookup of a table. */
function lookupsOf(collection: AnyCollection): v.ObjectEntries {
  const lookups = collection.lookups.map((member) => {
    const kind = kindOf(collection, member);
    const schema: v.GenericSchema<string> = kind === 'boolean' || kind === 'integer' ? LOOKUPS[kind] : TEXT;
    const text = `Only items with exactly this \`${member}\`.`;
    const words = collection.words?.[member];
    return [member, v.optional(words ? anyCase(words, text) : v.pipe(schema, v.description(text)))] as const;
  });
  return { ...Object.fromEntries(lookups), ...PAGE_QUERY };
}

/** `GET` of the collection: pages, and what it filters by. */
export function listOperation<Item extends Tagged>(served: Served<Item>, words: Words): Operation {
  const { resource, plural = 'list', schemas } = served;
  const verbs = verbsOf(served);
  return defineOperation({
    ...shared(served, words),
    method: 'GET',
    access: { scope: `read:${resource}` },
    description: words.description,
    query: v.strictObject(served.query ?? lookupsOf(served as unknown as AnyCollection)),
    answers: {
      200: {
        description: `A page of the ${plural}; \`next_cursor\` leads to the next.`,
        schema: schemas.list,
      },
    },
    problems: ['invalid_cursor', ...(words.problems ?? [])],
    async run(context) {
      const { items, next_cursor } = await verbs.list(context as Asking);
      return { body: { items: items.map((item) => visible(served, item)), next_cursor } };
    },
  });
}

export function getOperation<Item extends Tagged>(served: Served<Item>, words: Words): Operation {
  const { resource, noun, schemas, live } = served;
  const verbs = verbsOf(served);
  return defineOperation({
    ...one(served, words),
    method: 'GET',
    access: { scope: `read:${resource}` },
    description: words.description,
    answers: {
      200: {
        description: `The ${noun}, with the entity tag that If-Match takes.`,
        schema: schemas.item,
        tagged: true,
        ...(live && { live }),
      },
    },
    problems: ['resource_not_found', ...(words.problems ?? [])],
    async run(context) {
      const item = await verbs.find(context as Asking);
      return { body: visible(served, item), revision: item.revision };
    },
  });
}

export type Context = Changing & Pick<MutationContext<unknown, unknown, unknown>, 'audit'>;

/** Does one verb and records it. */
async function done<Item extends Tagged>(
  served: Served<Item>,
  verb: 'create' | 'update' | 'remove',
  context: Context,
  follows?: CreateWords['follows'],
): Promise<Item> {
  const { item, detail } = await verbsOf(served)[verb](context);
  await follows?.(context.tx, context.services);
  const action = `${served.action}.${verb === 'remove' ? 'delete' : verb}`;
  context.audit({ action, resource_type: served.table, resource_id: item.id, detail });
  return item;
}

/** Deletes the item that the path names, and answers what it was. */
export const removed = <Item extends Tagged>(served: Served<Item>, context: Context): Promise<Item> =>
  done(served, 'remove', context);

/** Changes the item that the path names by the members of the body, and answers what it is now. */
export const edited = <Item extends Tagged>(served: Served<Item>, context: Context): Promise<Item> =>
  done(served, 'update', context);

export function createOperation<Item extends Tagged>(served: Served<Item>, words: CreateWords): Operation {
  const { noun, action, schemas, resource } = served;
  const { conflicts = ['already_exists', 'state_conflict'], problems = [], follows } = words;
  const does = effectOf(served);
  return defineOperation({
    ...shared(served, words),
    method: 'POST',
    access: { scope: `write:${resource}` },
    effect: does,
    ...dryOf(served),
    description: described(served, words),
    body: schemas.create,
    ...(words.prepare === undefined && { standIns: standIns(served) }),
    ...mutating(words),
    ...bulk(served),
    answers: { 201: { description: `The ${noun} that was created.`, schema: schemas.item, tagged: true } },
    problems: [...conflicts, ...problems],
    audit: [`${action}.create`],
    async run(context) {
      const item = await done(served, 'create', verbContext(context), follows);
      return { status: 201, body: visible(served, item), revision: item.revision };
    },
  });
}

export function updateOperation<Item extends Tagged>(served: Served<Item>, words: MutationWords): Operation {
  const { noun, action, schemas, resource } = served;
  const { conflicts = ['already_exists', 'state_conflict', 'still_referenced'], problems = [] } = words;
  const does = effectOf(served);
  return defineOperation({
    ...one(served, words),
    method: 'PATCH',
    access: { scope: `write:${resource}` },
    effect: does,
    ...dryOf(served),
    description: described(served, words, PARTIAL),
    body: schemas.update,
    ...(words.prepare === undefined && { standIns: {} }),
    ...mutating(words),
    ...bulk(served),
    answers: { 200: { description: `The ${noun} as saved now.`, schema: schemas.item, tagged: true } },
    problems: [...STALE, ...conflicts, ...problems],
    audit: [`${action}.update`],
    async run(context) {
      const item = await done(served, 'update', verbContext(context));
      return { body: visible(served, item), revision: item.revision };
    },
  });
}

export function deleteOperation<Item extends Tagged>(served: Served<Item>, words: DeleteWords): Operation {
  const { conflicts = ['state_conflict', 'still_referenced'], problems = [], query } = words;
  const gone = served.effect === 'immediate' ? 'gone' : 'gone from the desired state';
  const does = effectOf(served);
  return defineOperation({
    ...one(served, words),
    method: 'DELETE',
    access: { scope: `write:${served.resource}` },
    effect: does,
    ...dryOf(served),
    description: described(served, words),
    ...(query && { query: v.strictObject(query) }),
    ...mutating(words),
    answers: { 204: { description: `The ${served.noun} is ${gone}.` } },
    problems: [...STALE, ...conflicts, ...problems],
    audit: [`${served.action}.delete`],
    async run(context) {
      await removed(served, context as Context);
      return { status: 204 };
    },
  });
}
