// Many items of a collection at once, all of them or none: each by the rules of one, with an audit event of its own.
import * as v from 'valibot';
import { invalid, Problem } from '../../ground/problems.ts';
import { entityTag } from '../../ground/store/revision.ts';
import type { Served, Tagged } from './collection.ts';
import { type Context, edited, removed } from './collection-operations.ts';
import { verbsOf } from './table-verbs.ts';

/** Items of one request: what a page of a list shows, and more. */
export const CHOSEN_MOST = 500;
export const VERBS = ['delete', 'enable', 'disable'] as const;
export type Verb = (typeof VERBS)[number];

export interface Named {
  id: string;
  /** As the person saw it; null: whichever there is. */
  revision: number | null;
}

/** What the box of a row sends: `ntp_source_1@3` is the row as it stood at revision 3. */
export const boxValue = ({ id, revision }: Tagged): string => `${id}@${revision}`;

export function namedBy(value: string): Named {
  const [, id = value, revision] = /^(.*)@(\d{1,15})$/s.exec(value) ?? [];
  return { id, revision: revision === undefined ? null : Number(revision) };
}

/** Rows that were chosen, as their boxes name them. */
export const chosenIds = v.pipe(
  v.array(v.pipe(v.string(), v.minLength(1, 'Must not be empty.'), v.maxLength(80, 'At most 80 characters.'))),
  v.minLength(1, 'Choose at least one row.'),
  v.maxLength(CHOSEN_MOST, `At most ${CHOSEN_MOST} rows at once.`),
  v.check((all) => new Set(all.map((value) => namedBy(value).id)).size === all.length, 'Names a row twice.'),
);

export const chosenSchema = v.strictObject({
  ids: chosenIds,
  verb: v.picklist(VERBS, 'Expected delete, enable or disable.'),
  /** Deleting is asked about first: the answer to a form without it is the question. */
  confirm: v.optional(v.boolean(), false),
});
export type Chosen = v.InferOutput<typeof chosenSchema>;

/**
 * Each by the rules of one item, with its own audit event. A row that is deleted is the one that was seen: one that somebody
 * changed meanwhile is refused. Enabling and disabling touch nothing that others changed, so they take the row as it is.
 * @throws Problem 422 at `/confirm`, since deleting is asked about; else as for one item, with the name of the item before what
 *   is wrong, at `/ids/<n>`.
 */
export async function changeTogether<Item extends Tagged>(
  served: Served<Item>,
  context: Context,
  { ids, verb, confirm }: Chosen,
  belongs: (item: Item) => boolean = () => true,
): Promise<Item[]> {
  if (verb === 'delete' && !confirm) throw invalid({ pointer: '/confirm', detail: 'Confirm that they are deleted.' });
  const items: Item[] = [];
  for (const [at, value] of ids.entries()) {
    const { id, revision } = namedBy(value);
    const seen = verb === 'delete' && revision !== null ? [entityTag(revision)] : null;
    const one: Context = {
      ...context,
      params: { ...context.params, [served.param]: id },
      query: {},
      request: { ...context.request, if_match: seen },
      body: { enabled: verb === 'enable' },
    };
    const done = verb === 'delete' ? removed(served, one) : edited(served, one);
    const item = await done.catch((problem: unknown) => refused(served, one, at, problem));
    // The transaction takes back what was done before it is known where the row belongs.
    if (!belongs(item)) throw gone(at, `This ${served.noun} was not found.`);
    items.push(item);
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
  if (problem.code === 'resource_not_found') throw gone(at, problem.message);
  const item = await verbsOf(served).find({ ...context, db: context.tx });
  if (problem.code === 'revision_stale') {
    const detail = `${served.title(item)}: somebody changed it meanwhile. Look at it, then choose again.`;
    throw new Problem('state_conflict', detail, { errors: [{ pointer, detail }] });
  }
  const detail = `${served.title(item)}: ${problem.members.errors?.[0]?.detail ?? problem.message}`;
  throw new Problem(problem.code, detail, { ...problem.members, errors: [{ pointer, detail }] });
}

const gone = (at: number, why: string): Problem =>
  invalid({ pointer: `/ids/${at}`, detail: `One of the chosen rows is gone: ${why}` });
