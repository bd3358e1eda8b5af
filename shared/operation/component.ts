// Schemas with a name: they become components of the OpenAPI document, and generated clients name their types after them.
import * as v from 'valibot';
import { PAGE_DEFAULT, PAGE_MAX } from '../store/pagination.ts';

const names = new Map<v.GenericSchema, string>();

/** Names a schema. @throws Error when the name is taken. */
export function component<S extends v.GenericSchema>(name: string, schema: S): S {
  if ([...names.values()].includes(name)) throw new Error(`Two schemas are named ${name}.`);
  names.set(schema, name);
  return schema;
}

export function components(): ReadonlyMap<v.GenericSchema, string> {
  return names;
}

/** `{items, next_cursor}` of one kind of item. */
export function listOf<S extends v.GenericSchema>(name: string, item: S) {
  return component(
    name,
    v.object({
      items: v.array(item),
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

/** RFC 3339 in UTC. */
export const instantSchema = v.pipe(v.string(), v.isoTimestamp(), v.description('RFC 3339 in UTC.'));

/** A whole number: counts, revisions, seconds. */
export const integerSchema = v.pipe(v.number(), v.integer());
