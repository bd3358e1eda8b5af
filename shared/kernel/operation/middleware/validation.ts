// Parameters, query and body against the operation's own schemas. A fault names its place and never its value.
import * as v from 'valibot';
import { ERRORS_MOST, type FieldError, invalid, Problem } from '../../../ground/problems.ts';
import { entityTag, type Precondition, parseIfMatch } from '../../../ground/store/revision.ts';
import { checked, type Place } from '../checked.ts';
import { factsOf } from '../execute.ts';
import { type AnySpec, takesDryRun } from '../operation.ts';
import type { Middleware, OperationRequest } from '../request.ts';
import { mediaOf } from './body.ts';

export const validation: Middleware = {
  async before(request) {
    const { event, context } = request;
    const { state } = context;
    const { spec } = state;
    const errors: FieldError[] = [];
    state.params = checked(spec.params, event.pathParameters, IN_PATH, errors);
    state.query = checkedQuery(request, errors);
    if (spec.effect !== 'read' && spec.form && !spec.binary) state.body = spec.form.decode(state.form!);
    if (spec.binary && !Buffer.isBuffer(state.body)) {
      throw new Problem('media_type_unsupported', `The body must be sent as ${mediaOf(spec).join(' or ')}.`);
    }
    let read: unknown;
    const elsewhere = errors.length;
    if (spec.body) {
      state.body = checked(spec.body, state.body, IN_BODY, errors, (partly) => {
        read = partly;
      });
    }
    state.if_match = ifMatch(request);
    if (elsewhere === 0 && read !== undefined) {
      const { services } = context;
      // Loaded when a body was refused: no operation alone carries it.
      const { secondLook } = await import('../second-look.ts');
      errors.push(...(await secondLook({ services, state, request: factsOf(event, state) }, read, errors)));
    }
    if (spec.effect !== 'read') errors.push(...(spec.form?.faults?.(state.form!) ?? []));
    if (errors.length > 0) throw invalid(...errors.slice(0, ERRORS_MOST));
    return undefined;
  },
};

const IN_PATH: Place = { pointer: ([name = '']) => `{${name}}`, unknown: 'This parameter is not supported.' };

const IN_BODY: Place = {
  // RFC 6901
  pointer: (path) => path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
  unknown: 'This property is not supported.',
};

/** The query of an operation that has none. */
const NO_QUERY = v.strictObject({});

/** Refuses unknown query parameters unless the operation says why it ignores them: a misspelt `dry_run` would save. */
function checkedQuery(request: OperationRequest, errors: FieldError[]): unknown {
  const { spec } = request.context.state;
  const query = readQuery(request, errors);
  if (spec.openQuery !== undefined) return checked(spec.query, query, ofQuery(spec), errors);
  errors.push(...repeated(request.event.rawQueryString));
  return checked(spec.query ?? NO_QUERY, query, ofQuery(spec), errors);
}

function ofQuery(spec: AnySpec): Place {
  const names = [...Object.keys(spec.query?.entries ?? {}), ...(takesDryRun(spec) ? ['dry_run'] : [])];
  const takes = names.length === 0 ? 'none' : names.join(', ');
  return {
    pointer: ([name = '']) => `?${name}`,
    unknown: `This operation has no such query parameter. It takes: ${takes}.`,
  };
}

/** A parameter that is given twice is refused: one of its values would be dropped silently. */
function repeated(query: string): FieldError[] {
  if (!query.includes('&')) return [];
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const name of new URLSearchParams(query).keys()) (seen.has(name) ? twice : seen).add(name);
  const found = [...twice].map((name) => ({ pointer: `?${name}`, detail: 'This parameter is there more than once.' }));
  return found.slice(0, ERRORS_MOST);
}

/** Mutations of desired state take `dry_run`, and those that say so. The operation's schema lists what else its query may hold. */
function readQuery({ event, context }: OperationRequest, errors: FieldError[]): Record<string, string> {
  const { state } = context;
  const { dry_run, ...query } = event.queryStringParameters;
  const wanted = dry_run ?? (state.form?.text('dry_run') || undefined);
  if (wanted === undefined) return query;
  if (!takesDryRun(state.spec)) errors.push({ pointer: '?dry_run', detail: 'This operation has no dry run.' });
  else if (wanted !== 'true' && wanted !== 'false')
    errors.push({ pointer: '?dry_run', detail: 'Expected true or false.' });
  state.dry_run = wanted === 'true';
  return query;
}

/** The API takes it from the header. A form that edits a tagged resource must send it in a hidden field. */
function ifMatch({ event, context }: OperationRequest): Precondition {
  const { spec, form } = context.state;
  if (spec.effect === 'read') return null;
  if (!form) return parseIfMatch(event.headers['if-match']);
  if (!form.values.has('revision')) return null;
  const revision = form.integer('revision');
  if (typeof revision === 'number') return [entityTag(revision)];
  throw new Problem('malformed_precondition', 'The form lost its revision. Open the page again.');
}
