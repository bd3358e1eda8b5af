// Schemas with a name: they become components of the OpenAPI document, and generated clients name their types after them.
import * as v from 'valibot';
import { PAGE_DEFAULT, PAGE_MAX } from '../store/pagination.ts';

const names = new Map<v.GenericSchema, string>();
const examples = new Map<v.GenericSchema, unknown>();

/**
 * Names a schema. `example`: of a request's body, a value that is accepted: a lab's values, addresses and names that are
 * reserved for documentation (RFC 5737, 3849, 6761), no secret that could be one.
 * @throws Error when the name is taken.
 */
export function component<S extends v.GenericSchema>(name: string, schema: S, example?: v.InferInput<S>): S {
  if ([...names.values()].includes(name)) throw new Error(`Two schemas are named ${name}.`);
  names.set(schema, name);
  if (example !== undefined) examples.set(schema, example);
  return schema;
}

export const exampleOf = (schema: v.GenericSchema): unknown => examples.get(schema);

export function components(): ReadonlyMap<v.GenericSchema, string> {
  return names;
}

export const described = <S extends v.GenericSchema>(schema: S, text: string) => v.pipe(schema, v.description(text));

/** A text of an answer. */
export const text = (description: string) => v.pipe(v.string(), v.description(description));

export const idSchema = text('Opaque id; it never changes.');
export const createdBy = text('Who created it: the user’s name, and the token’s in parentheses where one was used.');
export const macAnswer = text('MAC address, in lower case with colons.');

/** `{items, next_cursor}` of one kind of item. */
export function listOf<S extends v.GenericSchema>(name: string, item: S) {
  return component(
    name,
    v.object({
      items: described(v.array(item), 'Items of this page, in the order of the list.'),
      next_cursor: v.pipe(
        v.nullable(v.string()),
        v.description('Pass it as `cursor` for the next page; null on the last one.'),
      ),
    }),
  );
}

const LIMIT_EXPECTED = `Expected a number from 1 to ${PAGE_MAX}.`;

/** Query parameters of every list. */
export const PAGE_QUERY = {
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9][0-9]{0,3}$/, LIMIT_EXPECTED),
      v.check((limit) => Number(limit) <= PAGE_MAX, LIMIT_EXPECTED),
      v.description(`Items of a page: 1 to ${PAGE_MAX}, default ${PAGE_DEFAULT}.`),
    ),
  ),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(512), v.description('next_cursor of the page before.'))),
};

/** The number that `limit` stands for. */
export function pageLimit(limit: string | undefined): number {
  return limit === undefined ? PAGE_DEFAULT : Number(limit);
}

/** Path parameter of an opaque id. */
export function idParam<N extends string>(name: N, what: string) {
  const id = v.pipe(v.string(), v.maxLength(64), v.description(what));
  return v.strictObject({ [name]: id } as Record<N, typeof id>);
}

/**
 * The words that the document lists for a text that is read leniently: case, aliases and older spellings are for the
 * reader, not for the contract.
 */
export const listed = <Input, const W extends readonly string[]>(words: W) =>
  v.metadata<Input, { readonly enum: W }>({ enum: words });

/** One of a few words, in any case. */
export const anyCase = <const T extends readonly [string, ...string[]]>(words: T, text: string) =>
  v.pipe(
    v.string(),
    // Before the picklist: a pipe publishes only the part before its second schema.
    listed(words),
    v.description(text),
    v.transform((typed) => words.find((word) => word.toLowerCase() === typed.trim().toLowerCase()) ?? typed),
    v.picklist(words, `Expected ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`),
  );

/** RFC 3339 in UTC. */
export const instantSchema = v.pipe(v.string(), v.isoTimestamp(), v.description('RFC 3339 in UTC.'));

/** A whole number: counts, revisions, seconds. */
export const integerSchema = v.pipe(v.number(), v.integer());

export const revisionSchema = described(integerSchema, 'Counts the changes; the entity tag is made of it.');
