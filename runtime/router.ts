// Finds the operation for a gateway event: lambda-api's route tree, filled from the generated operation lists. It is
// given the method and the path only; headers, cookies and bodies are none of its business.
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
  route(
    event: GatewayEvent,
    services: Services,
    outcome?: FormOutcome,
  ): Promise<{ answer: GatewayAnswer; operation: Operation | null }>;
  operations: readonly Operation[];
}

interface Invocation {
  event: GatewayEvent;
  services: Services;
  outcome?: FormOutcome;
  answer: GatewayAnswer | null;
  operation: Operation | null;
}

export function createRouter(all: readonly Operation[], planes: readonly Plane[]): Router {
  const operations = all.filter(({ spec }) => planes.includes(spec.plane));
  // The package's types describe its CommonJS face; its ESM face has the factory as default export.
  const createAPI = (lambdaApi.default ?? lambdaApi) as unknown as (options: object) => lambdaApi.API;
  const api = createAPI({ logger: { level: 'fatal', errorLogging: false, access: 'never' } });
  // A refusal of the route tree is turned into a problem below; here it only has to end the run.
  api.use(
    (
      _error: Error,
      _request: unknown,
      response: { status(code: number): { send(body: string): void } },
      _next: unknown,
    ) => response.status(404).send(''),
  );
  for (const operation of operations) {
    const path = operation.spec.path.replaceAll(/\{(\w+)\}/g, ':$1');
    api.METHOD(operation.spec.method, path, async (request: lambdaApi.Request, response: lambdaApi.Response) => {
      const invocation = request.context as unknown as Invocation;
      invocation.operation = operation;
      const pathParameters: Record<string, string> = {};
      for (const name in request.params) pathParameters[name] = decodeURIComponent(request.params[name] as string);
      invocation.answer = await operation.handler(
        { ...invocation.event, pathParameters },
        { services: invocation.services, ...(invocation.outcome && { outcome: invocation.outcome }) },
      );
      response.send('');
    });
  }
  forgetPrototypes((api as unknown as { _routes: object })._routes);
  return {
    operations,
    async route(event, services, outcome) {
      const invocation: Invocation = { event, services, answer: null, operation: null, ...(outcome && { outcome }) };
      const { method } = event.requestContext.http;
      // `body: null`, never undefined: lambda-api would spend half of its time parsing undefined as JSON.
      const routed = {
        version: '2.0',
        rawPath: event.rawPath,
        requestContext: { http: { method } },
        headers: {},
        cookies: [],
        body: null,
      };
      await api.run(routed as never, invocation as never);
      const answer = invocation.answer ?? unrouted(operations, event, services);
      return { answer, operation: invocation.operation };
    },
  };
}

/** The tree is made of plain objects: without this, a path segment `constructor` would find Object's. */
function forgetPrototypes(node: object): void {
  if (Array.isArray(node) || typeof node !== 'object' || node === null) return;
  Object.setPrototypeOf(node, null);
  for (const [key, child] of Object.entries(node)) if (key !== 'METHODS') forgetPrototypes(child as object);
}

/** 404, or 405 with the methods that the path has. */
function unrouted(operations: readonly Operation[], event: GatewayEvent, services: Services): GatewayAnswer {
  const allow = [
    ...new Set(
      operations.filter(({ spec }) => matches(spec.path, event.rawPath)).map(({ spec }) => spec.method as string),
    ),
  ];
  if (allow.includes('GET')) allow.push('HEAD');
  const { method } = event.requestContext.http;
  const problem =
    allow.length > 0
      ? new Problem('method_not_allowed', `${method.slice(0, 16)} is not allowed here.`, { allow: allow.sort() })
      : new Problem('route_not_found', 'Nothing answers at this path.');
  return problemFor(problem, event, services);
}

/** A problem found outside of any operation, with a request id of its own. */
export function problemFor(problem: Problem, event: GatewayEvent, services: Services): GatewayAnswer {
  const sent = event.headers['x-request-id'];
  const request_id = sent && REQUEST_ID.test(sent) ? sent : newId('req', services.entropy);
  const answer = problemAnswer(problem, services, event, request_id);
  answer.headers['x-request-id'] = request_id;
  services.logger.info('request', {
    request_id,
    status: problem.status,
    error_code: problem.code,
    method: event.requestContext.http.method,
  });
  return answer;
}

/** As the route tree compares them: one slash at the end is nothing, an empty segment elsewhere is one. */
function matches(template: string, path: string): boolean {
  const wanted = template.split('/');
  const given = (path.length > 1 ? path.replace(/\/$/, '') : path).split('/');
  return (
    wanted.length === given.length && wanted.every((segment, i) => segment.startsWith('{') || segment === given[i])
  );
}
