// Finds the operation of a gateway event: lambda-api's route tree, filled from the generated lists of operations. The
// tree gets method and path only: parsing headers, cookies and bodies again would cost more than the routing.

import type { API, ErrorHandlingMiddleware, Options, Request } from 'lambda-api';
import * as lambdaApi from 'lambda-api';
import { newId } from '../shared/ground/clock.ts';
import { Problem } from '../shared/ground/problems.ts';
import type { Operation } from '../shared/kernel/operation/define-operation.ts';
import type { GatewayAnswer, GatewayEvent } from '../shared/kernel/operation/event.ts';
import { REQUEST_ID } from '../shared/kernel/operation/middleware/request-id.ts';
import type { Plane } from '../shared/kernel/operation/operation.ts';
import { problemAnswer } from '../shared/kernel/operation/problem-document.ts';
import type { FormOutcome, Services } from '../shared/kernel/operation/services.ts';

export interface Router {
  /** Routes one event; every failure is an answer too. */
  route(event: GatewayEvent, services: Services, outcome?: FormOutcome): Promise<Routed>;
  operations: readonly Operation[];
}

interface Routed {
  answer: GatewayAnswer;
  /** The operation that answered; null for a refusal by the router. */
  operation: Operation | null;
}

// The package's types describe its CommonJS face; its ESM face has the factory as default export.
const createAPI = (lambdaApi.default ?? lambdaApi) as unknown as (options: Options) => API;

interface Invocation {
  event: GatewayEvent;
  services: Services;
  taken: Taken;
  outcome?: FormOutcome;
}

/** Where a path leads does not change: ways that were found are kept, by method and path. */
type Taken = Map<string, Way>;

interface Way {
  operation: Operation;
  pathParameters: Readonly<Record<string, string>>;
}

/** Ways that are kept, and how long a path may be. Beyond it, all are found anew. */
const WAYS = 1_000;
const WAY_LENGTH = 200;

const wayOf = ({ rawPath, requestContext }: GatewayEvent): string => `${requestContext.http.method} ${rawPath}`;

const invocationOf = ({ context }: Request): Invocation => context as unknown as Invocation;

export function createRouter(all: readonly Operation[], planes: readonly Plane[]): Router {
  const operations = all.filter(({ spec }) => planes.includes(spec.plane));
  const api = createAPI({
    logger: { level: 'fatal', errorLogging: false, access: 'never' },
    // A route returns a complete answer, which is passed on unchanged.
    serializer: (routed) => routed as unknown as string,
  });
  for (const those of byShape(operations).values()) {
    for (const operation of those) {
      api.METHOD(operation.spec.method, routeOf(operation), (request: Request) => run(operation, request));
    }
    api.any(routeOf(those[0]!), (request: Request) => notAllowed(those, invocationOf(request)));
  }
  // Nothing but this: what is thrown in there never ends the request.
  const failed: ErrorHandlingMiddleware = (error, _request, _response, _next) => ({ error });
  api.use(failed);
  const taken: Taken = new Map();
  return {
    operations,
    async route(event, services, outcome) {
      const invocation: Invocation = { event, services, taken, ...(outcome && { outcome }) };
      const known = taken.get(wayOf(event));
      if (known) return answered(known, invocation);
      const { body } = await api.run(asked(event) as never, invocation as never);
      if (body.error && UNROUTED.has(body.error.name)) return notFound(invocation);
      if (body.error) throw body.error;
      return body as Routed;
    },
  };
}

/** Each path has all methods: where the tree knows one and has none, the path only leads to others. */
const UNROUTED: ReadonlySet<string> = new Set(['RouteError', 'MethodError']);

/** Operations whose paths differ in nothing but the names of their parameters. */
const byShape = (operations: readonly Operation[]): Map<string, Operation[]> =>
  Map.groupBy(operations, ({ spec }) => spec.path.replaceAll(/\{\w+\}/g, '{}'));

const routeOf = ({ spec }: Operation): string => spec.path.replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * The tree looks segments up in plain objects, where these are found in every one: written in another way, they are
 * not.
 */
const INHERITED = new RegExp(`/(${Object.getOwnPropertyNames(Object.prototype).join('|')})(?=/|$)`, 'g');
const escaped = (path: string): string =>
  path.replace(INHERITED, (_all, [first, ...rest]: string) => `/%${first!.charCodeAt(0).toString(16)}${rest.join('')}`);

/** The request to the tree. HEAD is answered like GET: the listener leaves the body out. */
function asked({ rawPath, requestContext }: GatewayEvent) {
  const { method } = requestContext.http;
  return {
    version: '2.0',
    rawPath: escaped(rawPath),
    requestContext: { http: { method: method === 'HEAD' ? 'GET' : method } },
    headers: {},
    cookies: [],
    // Never undefined: lambda-api would spend half of its time parsing undefined as JSON.
    body: null,
  };
}

async function run(operation: Operation, request: Request): Promise<Routed> {
  const invocation = invocationOf(request);
  const pathParameters: Record<string, string> = {};
  for (const name in request.params) pathParameters[name] = decodeURIComponent(request.params[name]!);
  const way = { operation, pathParameters };
  const { event, taken } = invocation;
  // Paths of other planes may hold what is secret.
  if (operation.spec.plane === 'api' && event.rawPath.length <= WAY_LENGTH) {
    if (taken.size >= WAYS) taken.clear();
    taken.set(wayOf(event), way);
  }
  return answered(way, invocation);
}

async function answered({ operation, pathParameters }: Way, invocation: Invocation): Promise<Routed> {
  const event = { ...invocation.event, pathParameters: { ...pathParameters } };
  return { answer: await operation.handler(event, invocation), operation };
}

function notAllowed(those: readonly Operation[], { event, services }: Invocation): Routed {
  const allow = [...new Set(those.map(({ spec }) => spec.method as string))];
  if (allow.includes('GET')) allow.push('HEAD');
  const { method } = event.requestContext.http;
  const detail = `${method.slice(0, 16)} is not allowed here.`;
  const problem = new Problem('method_not_allowed', detail, { allow: allow.sort() });
  return { answer: problemFor(problem, event, services), operation: null };
}

function notFound({ event, services }: Invocation): Routed {
  const problem = new Problem('route_not_found', 'Nothing answers at this path.');
  return { answer: problemFor(problem, event, services), operation: null };
}

/** A problem found outside of any operation, with a request id of its own. */
export function problemFor(problem: Problem, event: GatewayEvent, services: Services): GatewayAnswer {
  const sent = event.headers['x-request-id'];
  const request_id = sent && REQUEST_ID.test(sent) ? sent : newId('req', services.entropy);
  const answer = problemAnswer(problem, services, event, request_id);
  answer.headers['x-request-id'] = request_id;
  services.traffic?.refused(problem.status);
  services.logger.info('request', {
    request_id,
    status: problem.status,
    error_code: problem.code,
    method: event.requestContext.http.method,
  });
  return answer;
}
