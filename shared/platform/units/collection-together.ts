// Many items of a collection at once, all of them or none: each by the rules of one, with an audit event of its own.
import * as v from 'valibot';
import { invalid, Problem } from '../../ground/problems.ts';
import type { Served, Tagged } from './collection.ts';
import { type Context, edited, removed } from './collection-operations.ts';
import { verbsOf } from './table-verbs.ts';

/** Items of one request: what a page of a list shows, and more. */
export const CHOSEN_MOST = 500;
export const VERBS = ['delete', 'enable', 'disable'] as const;
export type Verb = (typeof VERBS)[number];

export const chosenSchema = v.strictObject({
  ids: v.pipe(
    v.array(v.pipe(v.string(), v.minLength(1, 'Must not be empty.'), v.maxLength(64, 'At most 64 characters.'))),
    v.minLength(1, 'Choose at least one row.'),
    v.maxLength(CHOSEN_MOST, `At most ${CHOSEN_MOST} rows at once.`),
    v.check((all) => new Set(all).size === all.length, 'Names a row twice.'),
  ),
  verb: v.picklist(VERBS, 'Expected delete, enable or disable.'),
  /** Deleting is asked about first: the answer to a form without it is the question. */
  confirm: v.optional(v.boolean(), false),
});
export type Chosen = v.InferOutput<typeof chosenSchema>;

/**
 * Each by the rules of one item, with its own audit event.
 * @throws Problem 422 at `/confirm`, since deleting is asked about; else as for one item, with the name of the item before what
 *   is wrong, at `/ids/<n>`.
 */
export async function changeTogether<Item extends Tagged>(
  served: Served<Item>,
  context: Context,
  { ids, verb, confirm }: Chosen,
): Promise<Item[]> {
  if (verb === 'delete' && !confirm) throw invalid({ pointer: '/confirm', detail: 'Confirm that they are deleted.' });
  const items: Item[] = [];
  for (const [at, id] of ids.entries()) {
    const one: Context = {
      ...context,
      params: { ...context.params, [served.param]: id },
      query: {},
      // What was chosen is named by its id: whoever chose saw the list, and no single revision.
      request: { ...context.request, if_match: null },
      body: { enabled: verb === 'enable' },
    };
    const done = verb === 'delete' ? removed(served, one) : edited(served, one);
    items.push(await done.catch((problem: unknown) => refused(served, one, at, problem)));
  }
  return items;
}

async function refused<Item extends Tagged>(
  served: Served<Item>,
  context: Context,
  at: number,
  problem: unknown,
): Promise<never> {
  if (!(problem instanceof Problem)) throw problem;
  const pointer = `/ids/${at}`;
  // The row that vanished meanwhile is a fault of the form: its page is the list, which is there.
  if (problem.code === 'resource_not_found')
    throw invalid({ pointer, detail: `One of the chosen rows is gone: ${problem.message}` });
  const item = await verbsOf(served).find({ ...context, db: context.tx });
  const detail = `${served.title(item)}: ${problem.members.errors?.[0]?.detail ?? problem.message}`;
  throw new Problem(problem.code, detail, { ...problem.members, errors: [{ pointer, detail }] });
}
