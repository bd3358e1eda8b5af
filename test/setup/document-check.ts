// Holds every answer of a test run against the OpenAPI document: bodies against their schemas, closed so that a member
// that nobody declared shows; refusals against the problem format and the codes that their operation lists.

import type { OpenAPIObject, ReferenceObject, ResponseObject } from 'openapi3-ts/oas31';
import { ERROR_CODES, type ErrorCode, PROBLEM_KINDS } from '../../shared/ground/problems.ts';
import type { Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { GatewayAnswer, GatewayEvent } from '../../shared/kernel/operation/event.ts';
import { openApiDocument } from '../../shared/kernel/operation/openapi.ts';
import { published as ownPublished, type Published } from './worker/published.ts';

/** That of the Jest worker, for all of its test files; a program of its own has one for itself. */
const worker = globalThis as { workerRequire?: (path: string) => { published: typeof ownPublished } };
const published = worker.workerRequire?.('./published.ts').published ?? ownPublished;

function documentOf(operations: readonly Operation[]): string {
  return JSON.stringify(openApiDocument(operations, { base_url: '', version: '0.0.0-test', tags: {}, legacy: true }));
}

const parametersIn = (segments: readonly string[]): number => segments.filter((part) => part.startsWith('{')).length;

export class DocumentCheck {
  /** What was wrong and not told yet. */
  readonly faults: string[] = [];
  /** Segments of each operation's path, those with the fewest parameters first. */
  readonly #routes: readonly { operation: Operation; segments: string[] }[];
  readonly #published: Published;

  /** `operations`: those of every plane. */
  constructor(operations: readonly Operation[]) {
    this.#routes = operations
      .map((operation) => ({ operation, segments: operation.spec.path.split('/') }))
      .sort((a, b) => parametersIn(a.segments) - parametersIn(b.segments));
    const key = operations.map(({ spec }) => spec.id).join();
    this.#published = published(key, () => documentOf(operations));
  }

  get document(): OpenAPIObject {
    return this.#published.document;
  }

  /** A successful answer of the API plane, as the response check sees it. */
  answered(operation_id: string, status: number, body: unknown): void {
    const documented = this.#published.operation(operation_id)?.responses?.[status] as ResponseObject | undefined;
    if (!documented) {
      this.#fault(`${operation_id} answered ${status}, which the document does not have`);
      return;
    }
    const schema = documented.content?.['application/json']?.schema as Record<string, unknown> | undefined;
    if (!schema) {
      if (body !== undefined) this.#fault(`${operation_id} ${status} has a body, the document has none`);
      return;
    }
    const faults = this.#published.faults(`${operation_id} ${status}`, schema, body);
    if (faults) this.#fault(`${operation_id} ${status}: ${faults}`);
  }

  /** Any answer, with the request that it is for: its headers, and the whole of a refusal. */
  heard(event: GatewayEvent, answer: GatewayAnswer): void {
    const { method } = event.requestContext.http;
    const what = `${method} ${event.rawPath} ${answer.statusCode}`;
    const operation = this.operationAt(method, event.rawPath);
    if (!answer.headers['x-request-id']) this.#fault(`${what} has no X-Request-ID`);
    if (answer.statusCode < 400) {
      if (operation?.spec.plane === 'api') this.#headers(what, operation, event, answer);
      return;
    }
    if (operation?.spec.answers[answer.statusCode]) return;
    if (/\btext\/html\b/.test(answer.headers['content-type'] ?? '')) {
      const browser = /\btext\/html\b/.test(event.headers.accept ?? '') && !event.rawPath.startsWith('/api/');
      if (!browser) this.#fault(`${what} is a page, but the caller is a program`);
      return;
    }
    for (const fault of problemFaults(answer)) this.#fault(`${what}: ${fault}`);
    if (operation?.spec.plane === 'api') this.#listed(what, operation, answer);
  }

  /** @throws Error with everything that was found since the last time. */
  settle(): void {
    if (this.faults.length > 0) throw new Error(`Against the contract:\n${this.faults.splice(0).join('\n')}`);
  }

  /** The operation that a request reaches; literal segments win over parameters. */
  operationAt(method: string, path: string): Operation | undefined {
    const given = path.split('/');
    return this.#routes.find(
      ({ operation: { spec }, segments }) =>
        spec.method === method &&
        segments.length === given.length &&
        segments.every((part, i) => part.startsWith('{') || part === given[i]),
    )?.operation;
  }

  #headers(what: string, { spec }: Operation, event: GatewayEvent, answer: GatewayAnswer): void {
    const documented = this.#published.operation(spec.id)?.responses?.[answer.statusCode] as ResponseObject | undefined;
    const dryRun = /\bdry_run=true\b/.test(event.rawQueryString);
    for (const name of ['ETag', 'Location']) {
      const promised = documented?.headers?.[name] !== undefined && !(dryRun && name === 'Location');
      const given = answer.headers[name.toLowerCase()] !== undefined;
      if (promised && !given) this.#fault(`${what} (${spec.id}) lacks the ${name} header`);
      if (given && documented?.headers?.[name] === undefined)
        this.#fault(`${what} (${spec.id}) has an undeclared ${name} header`);
    }
  }

  #listed(what: string, { spec }: Operation, answer: GatewayAnswer): void {
    const { error_code } = JSON.parse(answer.body) as { error_code: string };
    const response = this.#published.operation(spec.id)?.responses?.[answer.statusCode] as
      | ResponseObject
      | ReferenceObject
      | undefined;
    const { content } =
      ((response && '$ref' in response
        ? this.document.components?.responses?.[response.$ref.split('/').pop()!]
        : response) as ResponseObject) ?? {};
    const listed = Object.keys(content?.['application/problem+json']?.examples ?? {});
    if (!listed.includes(error_code)) this.#fault(`${what}: ${spec.id} does not declare ${error_code} in \`problems\``);
  }

  #fault(text: string): void {
    this.faults.push(text);
  }
}

const MEMBERS = ['type', 'title', 'status', 'detail', 'instance', 'error_code', 'request_id'];
const EXTENSIONS = ['errors', 'blockers', 'units', 'failed', 'preview', 'owner', 'scope', 'lacks', 'role'];
/** Header that a status must bring along. */
const WITH_HEADER: Record<number, string> = {
  401: 'www-authenticate',
  405: 'allow',
  423: 'retry-after',
  429: 'retry-after',
};

/** What is wrong with a problem answer; empty for a proper one. */
export function problemFaults(answer: Pick<GatewayAnswer, 'statusCode' | 'headers' | 'body'>): string[] {
  const { statusCode: status, headers } = answer;
  if (headers['content-type'] !== 'application/problem+json')
    return [`is ${headers['content-type']}, not a problem document`];
  const document = JSON.parse(answer.body) as Record<string, unknown> & { errors?: unknown[] };
  const kind = String(document.type).split('/problems/')[1] as keyof typeof PROBLEM_KINDS;
  const code = document.error_code as ErrorCode;
  const RULES: [string, boolean][] = [
    ['its media type needs no-store', headers['cache-control'] === 'no-store'],
    ['a member is missing or empty', MEMBERS.every((name) => document[name] !== undefined && document[name] !== '')],
    [
      'it has a member that is not in the format',
      Object.keys(document).every((name) => [...MEMBERS, ...EXTENSIONS].includes(name)),
    ],
    [
      'its type is not the URL of a known kind',
      /^https?:\/\/[^/]+\/problems\/[a-z-]+$/.test(String(document.type)) && kind in PROBLEM_KINDS,
    ],
    [
      'its status is another than that of the answer',
      document.status === status && PROBLEM_KINDS[kind]?.status === status,
    ],
    ['its title is not that of its kind', document.title === PROBLEM_KINDS[kind]?.title],
    ['its error_code is not in the closed list, or of another kind', ERROR_CODES[code]?.[0] === kind],
    ['its request_id is another than X-Request-ID', document.request_id === headers['x-request-id']],
    [
      `it lacks the ${WITH_HEADER[status]} header`,
      WITH_HEADER[status] === undefined || headers[WITH_HEADER[status]] !== undefined,
    ],
    [
      'it does not say which value is wrong',
      code !== 'request_validation_failed' || (document.errors?.length ?? 0) > 0,
    ],
    ['it does not name the missing scope', code !== 'insufficient_scope' || typeof document.scope === 'string'],
    ['it does not name the owner of the lock', code !== 'mutation_locked' || typeof document.owner === 'object'],
  ];
  return RULES.filter(([, holds]) => !holds).map(([what]) => `${what}: ${answer.body.slice(0, 400)}`);
}
