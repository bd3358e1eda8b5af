// From a declaration to a handler: defineOperation for the API and other planes, defineForm for a browser form that
// reaches the same mutation. A declaration that lacks a part is refused when the module loads.
import middy from '@middy/core';
import type { GenericSchema } from 'valibot';
import { NOBODY } from '../access/actor.ts';
import { CHAIN } from './chain.ts';
import type { GatewayAnswer, GatewayEvent } from './event.ts';
import { execute } from './execute.ts';
import { type AnySpec, EFFECTS, type FormSpec, type Legacy, type MutationSpec, type ReadSpec } from './operation.ts';
import type { OperationRequest, RequestState } from './request.ts';
import type { InvocationContext } from './services.ts';

export type Handler = (event: GatewayEvent, context: InvocationContext) => Promise<GatewayAnswer>;

export interface Operation {
  spec: AnySpec;
  handler: Handler;
}

// biome-ignore lint/suspicious/noExplicitAny: the schemas only matter inside the declaration.
type Any = any;

/**
 * Declares an operation. Answers its specification and its Middy handler, which can be invoked with a gateway event.
 * @throws Error when the declaration is incomplete or contradicts itself.
 */
export function defineOperation<P extends GenericSchema, Q extends GenericSchema, B extends GenericSchema>(
  spec: ReadSpec<P, Q, B> | MutationSpec<P, Q, B>,
): Operation {
  const plane = isApiPath(spec.path ?? '') ? 'api' : undefined;
  const effect = spec.method === 'GET' ? 'read' : undefined;
  return complete({ plane, effect, ...spec } as Any);
}

/** `page` is the form's own path unless it says another one; `decode` reads no field. */
export type FormDeclaration = Omit<FormSpec, 'page' | 'decode'> & Partial<Pick<FormSpec, 'page' | 'decode'>>;

/**
 * Declares the browser's way to a mutation: same schemas, same run, same audit; CSRF, and the next page as answer. The
 * session needs the scope that a token needs. Its body may differ from the API's only in how it is written down.
 */
export function defineForm<P extends GenericSchema, Q extends GenericSchema, B extends GenericSchema>(
  declaration: Pick<MutationSpec<P, Q, B>, 'path'> & Partial<MutationSpec<P, Q, B>> & { of?: Operation },
  form: FormDeclaration,
): Operation {
  const { of, ...own } = declaration;
  const base = (of?.spec ?? {}) as AnySpec;
  const { access } = base;
  const spec = {
    ...base,
    access: typeof access === 'object' && 'scope' in access ? { session: access.scope } : access,
    ...own,
    id: own.id ?? `${base.id}Form`,
    method: 'POST',
    plane: own.plane ?? 'management',
    answers: { 303: { description: 'The next page.' } },
    form: { page: own.path, decode: () => undefined, ...form },
  };
  return complete(spec as Any);
}

/** The form of an operation that differs from it in nothing but how it is reached. */
export const formOf = (of: Operation, { path, ...form }: FormDeclaration & { path: string }): Operation =>
  defineForm({ of, path }, form);

function complete(spec: AnySpec): Operation {
  check(spec);
  const chain = middy<Any, Any>()
    .use(CHAIN as Any)
    .handler(execute as Any) as Any;
  const handler: Handler = async (event, context) => {
    const state = newState(spec, event, context);
    const answered: Promise<GatewayAnswer> = chain(event, { services: context.services, state });
    const answer = await answered.finally(() => state.letGo?.());
    answer.headers['x-request-id'] = state.request_id;
    if (spec.legacy) Object.assign(answer.headers, legacyHeaders(spec.legacy));
    return answer;
  };
  return { spec, handler };
}

/** On refusals too, so that every caller sees them. */
function legacyHeaders({ since, page, successor }: Legacy): Record<string, string> {
  return {
    deprecation: `@${since}`,
    link: `<${page}>; rel="deprecation"; type="text/html", <${successor}>; rel="successor-version"`,
  };
}

function newState(spec: AnySpec, event: GatewayEvent, context: InvocationContext): RequestState {
  return {
    spec,
    request_id: '',
    secure: event.requestContext.secure,
    started: performance.now(),
    now: context.services.clock.now(),
    actor: NOBODY,
    lock: null,
    body: undefined,
    form: null,
    params: event.pathParameters,
    query: event.queryStringParameters,
    dry_run: false,
    if_match: null,
    idempotency: null,
    cookies: event.cookies.length === 0 ? {} : readCookies(event.cookies),
    revision: null,
    outcome: context.outcome ?? null,
    letGo: null,
  };
}

/** The first of repeated names wins (RFC 6265, 5.4 lists the more specific path first). */
export function readCookies(cookies: string[]): Record<string, string> {
  const read: Record<string, string> = Object.create(null);
  for (const cookie of cookies) {
    const cut = cookie.indexOf('=');
    if (cut <= 0) continue;
    const name = cookie.slice(0, cut).trim();
    if (!(name in read)) read[name] = cookie.slice(cut + 1).trim();
  }
  return read;
}

/** Scrapers look for metrics at this path; everything else of the API is below /api/v1/. */
export const isApiPath = (path: string): boolean => path === '/metrics' || path.startsWith('/api/v1/');

const isClosed = (query: GenericSchema | undefined): boolean => query === undefined || query.type === 'strict_object';

const RULES: [string, (spec: AnySpec) => boolean][] = [
  ['an id in camelCase', (s) => /^[a-z][A-Za-z0-9]+$/.test(s.id ?? '')],
  ['a path', (s) => /^\/[A-Za-z0-9_\-/{}.]*$/.test(s.path ?? '')],
  ['a schema for its path parameters', (s) => !s.path.includes('{') || s.params !== undefined],
  ['a summary and a description', (s) => Boolean(s.summary && s.description && s.tag)],
  ['an access', (s) => s.access !== undefined],
  ['an effect', (s) => Object.hasOwn(EFFECTS, s.effect ?? '')],
  [
    'a bearer scope on the API plane and none elsewhere',
    (s) => (s.plane === 'api') === (typeof s.access === 'object' && 'scope' in s.access),
  ],
  ['/api/v1 on the API plane and nowhere else', (s) => (s.plane === 'api') === isApiPath(s.path)],
  ['answers', (s) => Object.keys(s.answers ?? {}).length > 0],
  [
    'a GET for a read and no GET for a mutation, unless it is a boot loader that asks: it has nothing but GET',
    (s) => s.plane === 'boot' || (s.method === 'GET') === (s.effect === 'read'),
  ],
  ['audit events for a mutation', (s) => s.effect === 'read' || (s.audit?.length ?? 0) > 0],
  [
    'a query that is a strict object; elsewhere than on the API plane a reason to ignore other parameters will do',
    (s) => (s.openQuery === undefined ? isClosed(s.query) : s.plane !== 'api'),
  ],
  ['a run', (s) => typeof s.run === 'function'],
];

function check(spec: AnySpec): void {
  const missing = RULES.filter(([, holds]) => !holds(spec)).map(([what]) => what);
  if (missing.length > 0) throw new Error(`Operation ${spec.id ?? spec.path} needs ${missing.join('; ')}.`);
}

export type { OperationRequest };
