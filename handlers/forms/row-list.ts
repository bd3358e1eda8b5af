// What a list offers that is not of a declared collection: its file, and what is done with the rows that were chosen. Each row
// goes through the operation of one, with its rights, its rules and its audit event.
import * as v from 'valibot';
import { type Cell, csvHeaders, csvParts } from '../../shared/ground/csv.ts';
import { type ListWords, verbsOfList } from '../../shared/ground/list-words.ts';
import { invalid, Problem } from '../../shared/ground/problems.ts';
import type { Database } from '../../shared/ground/store/database.ts';
import { allPages, PAGE_OF_FILE, PAGE_OF_SORTED, type Page } from '../../shared/ground/store/pagination.ts';
import { entityTag } from '../../shared/ground/store/revision.ts';
import type { Scope } from '../../shared/kernel/access/scopes.ts';
import { defineForm, defineOperation, type Operation } from '../../shared/kernel/operation/define-operation.ts';
import type {
  FormFields,
  MutationContext,
  MutationSpec,
  ReadContext,
} from '../../shared/kernel/operation/operation.ts';
import { chosenIds, namedBy } from '../../shared/platform/units/collection-together.ts';

// biome-ignore lint/suspicious/noExplicitAny: each operation validates by its own schemas.
type Mutation = MutationSpec<any, any, any>;
// biome-ignore lint/suspicious/noExplicitAny: as above.
type Changing = MutationContext<any, any, any>;

export interface RowsForm {
  words: ListWords;
  /** Of the operations: `user_id`. */
  param: string;
  /** Verb → the operation of one row. */
  verbs: Readonly<Record<string, Operation>>;
  /** What the operation is told besides which row. */
  body?(verb: string, sent: Readonly<Record<string, unknown>>): unknown;
  /** Fields of the question, and how they are read. */
  fields?: { schemas: v.ObjectEntries; decode(fields: FormFields): Record<string, unknown>; secret?: string[] };
  /** What the question asks before anything is saved. @throws Problem 422 at one of its fields */
  confirm?(context: Pick<Changing, 'services' | 'actor' | 'request'>, sent: Record<string, unknown>): Promise<void>;
  /** What people call the row. */
  name(db: Database, id: string, params: Record<string, string>): Promise<string>;
  /** Rows of one request, where they are fewer than usual. */
  most?: number;
  /** The ids in the order in which they are done, where that matters. */
  order?(db: Database, ids: readonly string[]): Promise<string[]>;
  /** The page with the list, and the path of the form. */
  page: string;
  path: string;
  params?: v.GenericSchema<Record<string, string>>;
  /** @throws Problem 404 when what the path names is not there. */
  within?(db: Database, params: Record<string, string>): Promise<void>;
  /** Members of the page's query, so that the list is shown again as it was. */
  kept: readonly string[];
}

/** `POST …/chosen`: all of the chosen rows, or none of them. */
export function rowsForm(form: RowsForm): Operation {
  const { words, verbs, fields, page, path, params } = form;
  const { component, noun, nouns } = words;
  const known = verbsOfList(words);
  const specs = Object.values(verbs).map(({ spec }) => spec as Mutation);
  const names = known.map(({ value }) => value);
  const [{ access, effect, tag }] = specs as [Mutation, ...Mutation[]];
  const said = names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : names[0]!;
  const body = v.strictObject({
    ids:
      form.most === undefined
        ? chosenIds
        : v.pipe(chosenIds, v.maxLength(form.most, `At most ${form.most} rows at once.`)),
    verb: v.picklist(names, `Expected ${said}.`),
    confirm: v.optional(v.boolean(), false),
    ...fields?.schemas,
  });
  return defineForm(
    {
      id: `change${component}Form`,
      path,
      access: { session: (access as { scope: Scope }).scope },
      effect,
      tag,
      summary: `${said[0]!.toUpperCase()}${said.slice(1)} many ${nouns}`,
      description: `Each of the chosen ${nouns} by the operation of one ${noun}, in one transaction: all of them or none. A row that somebody changed since it was shown is not deleted. Without a confirmation, the list is shown again with the question.`,
      ...(params && { params }),
      body,
      problems: [
        ...new Set(['resource_not_found', 'state_conflict', ...specs.flatMap(({ problems = [] }) => problems)]),
      ],
      audit: [...new Set(specs.flatMap(({ audit }) => audit as string[]))],
      // What one row may do under the mutation lock, many may: each operation says by itself what waits.
      ...(specs.every(({ guarded }) => guarded === false) && { guarded: false as const }),
      async prepare(context) {
        const sent = context.body as Sent;
        const asks = known.find(({ value }) => value === sent.verb)!.keep !== undefined;
        if (asks && !sent.confirm) throw invalid({ pointer: '/confirm', detail: 'Confirm it.' });
        if (asks) await form.confirm?.(context, sent);
        return undefined;
      },
      run: (context) => changeAll(form, context as Changing),
    } as Parameters<typeof defineForm>[0],
    {
      page,
      ...(fields?.secret && { secret: fields.secret }),
      decode: (sent) => ({
        ids: sent.all('ids'),
        verb: sent.text('verb'),
        confirm: sent.checked('confirm'),
        ...fields?.decode(sent),
      }),
      done: (answer, sent, given) => doneWith(form, (answer.body as { count: number }).count, sent, given),
    },
  );
}

async function changeAll(form: RowsForm, context: Changing): Promise<{ body: { count: number } }> {
  const { ids } = context.body as Sent;
  await form.within?.(context.tx, context.params as Record<string, string>);
  const named = ids.map((value) => namedBy(value).id);
  const order = (await form.order?.(context.tx, named)) ?? named;
  const places = [...named.keys()].sort((one, other) => order.indexOf(named[one]!) - order.indexOf(named[other]!));
  for (const at of places) await changeOne(form, context, at);
  return { body: { count: ids.length } };
}

/** The list as it was, and what became of the rows. */
function doneWith(
  { words, page, kept }: RowsForm,
  count: number,
  sent: FormFields,
  given: Readonly<Record<string, string>>,
): { location: string; flash: string } {
  const { noun, nouns } = words;
  const { was = '' } = verbsOfList(words).find(({ value }) => value === sent.text('verb')) ?? {};
  const home = page.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(given[name] ?? ''));
  const flash = `${count === 1 ? `1 ${noun} is` : `${count} ${nouns} are`} ${was}.`;
  return { location: `${home}${place(sent, kept)}`, flash };
}

interface Sent extends Record<string, unknown> {
  ids: string[];
  verb: string;
  confirm: boolean;
}

function place(fields: FormFields, kept: readonly string[]): string {
  const at = new URLSearchParams(fields.text('at'));
  const query = new URLSearchParams([...at].filter(([name]) => kept.includes(name)));
  return query.size > 0 ? `?${query}` : '';
}

/** @throws Problem of the operation, with the name of the row before what is wrong, at `/ids/<n>` */
async function changeOne(form: RowsForm, context: Changing, at: number): Promise<void> {
  const sent = context.body as Sent;
  const { id, revision } = namedBy(sent.ids[at]!);
  const one: Changing = {
    ...context,
    params: { ...context.params, [form.param]: id },
    query: {},
    // Enabling and disabling touch nothing that others changed, so they take the row as it is.
    request: {
      ...context.request,
      if_match: sent.verb === 'delete' && revision !== null ? [entityTag(revision)] : null,
      dry_run: false,
    },
    body: form.body?.(sent.verb, sent),
  };
  const { run } = form.verbs[sent.verb]!.spec as Mutation;
  const pointer = `/ids/${at}`;
  try {
    const { refuse } = await run({ ...one, prepared: undefined } as never);
    if (refuse) throw refuse;
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    // The row that vanished meanwhile is a fault of the form: its page is the list, which is there.
    if (problem.code === 'resource_not_found') {
      throw invalid({ pointer, detail: `One of the chosen rows is gone: ${problem.message}` });
    }
    const name = await form.name(context.tx, id, context.params as Record<string, string>);
    if (problem.code === 'revision_stale') {
      const detail = `${name}: somebody changed it meanwhile. Look at it, then choose again.`;
      throw new Problem('state_conflict', detail, { errors: [{ pointer, detail }] });
    }
    const detail = `${name}: ${problem.members.errors?.[0]?.detail ?? problem.message}`;
    throw new Problem(problem.code, detail, { ...problem.members, errors: [{ pointer, detail }] });
  }
}

type Asking = Pick<
  ReadContext<Record<string, string>, Record<string, string>>,
  'db' | 'actor' | 'request' | 'params' | 'query' | 'services'
>;

export interface RowsFile {
  words: ListWords;
  /** Without `.csv`. */
  path: string;
  params?: v.GenericSchema<Record<string, string>>;
  scope: Scope;
  /** Members of the query that it goes by. */
  by: readonly string[];
  head: readonly string[];
  /** Rows that are read at once, where they are fewer than usual. */
  atOnce?: number;
  /** @throws Problem 404 when what the path names is not there: before anything is sent. */
  within?: RowsForm['within'];
  /** A page in the order of the list. Never a secret. */
  rows(context: Asking, page: { limit: number; cursor: string | undefined }): Promise<Page<Cell[]>>;
}

const text = v.optional(v.pipe(v.string(), v.maxLength(255)), '');

/** `GET ….csv`: what the list shows by its search, its choices and its order, all of it, read as it is sent. */
export function rowsFile({ words, path, params, scope, by, head, atOnce, within, rows }: RowsFile): Operation {
  return defineOperation({
    id: `download${words.component}`,
    method: 'GET',
    path: `${path}.csv`,
    plane: 'management',
    access: { session: scope },
    tag: 'Pages',
    summary: `The ${words.nouns} as CSV`,
    description:
      'Those that the list shows by its search, choices and order, on all of its pages, for a spreadsheet. They are read as they are sent.',
    ...(params && { params }),
    query: v.strictObject(Object.fromEntries(by.map((name) => [name, text]))),
    answers: { 200: { description: 'The file (RFC 4180).' } },
    ...(within && { problems: ['resource_not_found'] }),
    async run(context) {
      const asking = context as unknown as Asking;
      await within?.(asking.db, asking.params);
      const limit = atOnce ?? (asking.query.sort ? PAGE_OF_SORTED : PAGE_OF_FILE);
      const pages = allPages((page) => rows(asking, page), limit);
      return { parts: csvParts(head, pages, (row) => row), headers: csvHeaders(path.replace(/.*\//, '')) };
    },
  });
}
