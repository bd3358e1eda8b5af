// Parameters, query and body against the operation's own schemas. A fault names its place and never its value.
import * as v from 'valibot';
import { parseIfMatch } from '../../store/revision.ts';
import { type FieldError, invalid, Problem } from '../problems.ts';
import type { Middleware, OperationRequest } from '../request.ts';
import { OUR_WORDS, sentenceOf } from '../sentences.ts';

export const validation: Middleware = {
  before(request) {
    const { event, context } = request;
    const { state } = context;
    const { spec } = state;
    const errors: FieldError[] = [];
    state.params = checked(spec.params, event.pathParameters, (path) => `{${path[0] ?? ''}}`, errors);
    state.query = checked(spec.query, readQuery(request, errors), (path) => `?${path[0] ?? ''}`, errors);
    if (spec.effect !== 'read' && spec.form && !spec.binary) state.body = spec.form.decode(state.form!);
    if (spec.binary && !Buffer.isBuffer(state.body)) {
      throw new Problem('media_type_unsupported', 'The body must be sent as application/octet-stream.');
    }
    if (spec.body) state.body = checked(spec.body, state.body, pointer, errors);
    state.if_match = ifMatch(request);
    if (errors.length > 0) throw invalid(...errors);
    return undefined;
  },
};

/** Items of a list in a body, and faults that are listed; the schemas look at every item before they look at the length. */
const ITEMS_MOST = 1000;
const ERRORS_MOST = 100;

/** The member of a body that is a list of more than ITEMS_MOST items. */
function tooLong(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  return Object.entries(value).find(([, member]) => Array.isArray(member) && member.length > ITEMS_MOST)?.[0] ?? null;
}

/** A member that every object has already: Valibot takes it for one that the schema declares. */
function inherited(schema: v.GenericSchema, value: unknown): string | null {
  if (schema.type !== 'strict_object' || typeof value !== 'object' || value === null) return null;
  const { entries } = schema as unknown as { entries: object };
  return Object.keys(value).find((name) => name in Object.prototype && !Object.hasOwn(entries, name)) ?? null;
}

function checked(
  schema: v.GenericSchema | undefined,
  value: unknown,
  place: (path: string[]) => string,
  errors: FieldError[],
): unknown {
  if (!schema) return value;
  // Valibot's objects take an array for an object without members.
  if (Array.isArray(value) && schema.type !== 'array') {
    errors.push({ pointer: place([]), detail: 'Expected an object.' });
    return undefined;
  }
  const name = inherited(schema, value);
  if (name !== null) {
    errors.push({ pointer: place([name]), detail: 'This property is not supported.' });
    return undefined;
  }
  const long = tooLong(value);
  if (long !== null) {
    errors.push({ pointer: place([long]), detail: `At most ${ITEMS_MOST} items.` });
    return undefined;
  }
  const result = v.safeParse(schema, value, { abortPipeEarly: true, ...OUR_WORDS });
  if (result.success) return result.output;
  for (const issue of result.issues.slice(0, ERRORS_MOST)) {
    const path = (issue.path ?? []).map((item) => String(item.key));
    errors.push({ pointer: place(path), detail: explain(issue) });
  }
  return undefined;
}

/** Words of the schema's own are for values that were sent: what is missing is missing. */
function explain(issue: v.BaseIssue<unknown>): string {
  return issue.kind === 'schema' ? (missingOrUnknown(issue) ?? issue.message) : issue.message;
}

const missingOrUnknown = (issue: v.BaseIssue<unknown>): string | null =>
  issue.expected === 'never' || issue.received === 'undefined' ? sentenceOf(issue) : null;

/** RFC 6901. */
function pointer(path: string[]): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** `dry_run` belongs to every desired-state mutation; what else a query may hold, the operation's schema says. */
function readQuery({ event, context }: OperationRequest, errors: FieldError[]): Record<string, string> {
  const { state } = context;
  const { dry_run, ...query } = event.queryStringParameters;
  const wanted = dry_run ?? (state.form?.text('dry_run') || undefined);
  if (wanted === undefined) return query;
  if (state.spec.effect !== 'desired-state')
    errors.push({ pointer: '?dry_run', detail: 'This operation has no dry run.' });
  else if (wanted !== 'true' && wanted !== 'false')
    errors.push({ pointer: '?dry_run', detail: 'Expected true or false.' });
  state.dry_run = wanted === 'true';
  return query;
}

/** From the header on the API; from the hidden field, where it is required, on a form that edits a tagged resource. */
function ifMatch({ event, context }: OperationRequest): number | null {
  const { spec, form } = context.state;
  if (!form) return parseIfMatch(event.headers['if-match']);
  if (spec.effect === 'read' || !form.values.has('revision')) return null;
  const revision = form.integer('revision');
  if (typeof revision === 'number') return revision;
  throw new Problem('malformed_precondition', 'The form lost its revision. Open the page again.');
}
