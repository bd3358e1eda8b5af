// The OpenAPI 3.1 document, made from the operations' declarations and from nothing else: what it says is what the
// middlewares do. Only the API plane is published.

import {
  type OpenAPIObject,
  OpenApiBuilder,
  type OperationObject,
  type ParameterObject,
  type ReferenceObject,
  type RequestBodyObject,
  type ResponseObject,
  type SchemaObject,
} from 'openapi3-ts/oas31';
import type { GenericSchema } from 'valibot';
import type { ErrorCode } from '../../ground/problems.ts';
import { exampleOf, PAGE_QUERY } from '../../ground/schemas/component.ts';
import { PAGE_DEFAULT, PAGE_MAX } from '../../ground/store/pagination.ts';
import type { Operation } from './define-operation.ts';
import { BODY_LIMIT } from './middleware/body.ts';
import {
  HEADERS,
  kindName,
  PROBLEM_SCHEMA,
  problemExamples,
  problemResponse,
  problemStatuses,
  sharedResponses,
} from './openapi-problems.ts';
import { SchemaCollector } from './openapi-schema.ts';
import { type AnswerSpec, type AnySpec, EFFECTS, takesDryRun, waitsForLock } from './operation.ts';

export interface DocumentOptions {
  /** Origin of this appliance without a trailing slash; empty: relative to where the document was fetched. */
  base_url: string;
  version: string;
  /** Groups in reading order, each with a sentence. */
  tags: Readonly<Record<string, string>>;
  /** Legacy operations as well: for tests, which hold their answers against their declarations too. */
  legacy?: boolean;
}

/** Of a mutation that is not guarded. */
export const GOES_ON =
  'Not locked while an apply or a restore runs: 423 comes only in the moment in which a restore is saved, with the seconds to wait in `Retry-After`.';

const INTRODUCTION = `Manages the network and service appliance of a private cloud.

Send a bearer token in \`Authorization\`; each operation names the scope that it needs, and a write scope includes the read of the same resource. Operations that save desired state change nothing on the host: they become pending and are enforced by the next reviewed apply. They take \`?dry_run=true\` to see the result without saving it, and so does what else lists it. Each operation has one kind of effect, \`x-effect\`: ${Object.entries(
  EFFECTS,
)
  .map(([kind, said]) => `\`${kind}\` ${said}`)
  .join('; ')}.

Every answer carries \`X-Request-ID\`. Every refusal is a problem document (RFC 9457) with an \`error_code\`. Single resources carry an \`ETag\`; send it as \`If-Match\` to be refused when somebody else was faster. A \`POST\` with an \`Idempotency-Key\` can be sent again safely. A request’s body is at most ${BODY_LIMIT >> 10} KiB unless its operation says otherwise; it is read only after the token and its scope are accepted. A member of a body or a query parameter that the operation does not know is refused, and so are one that is there more than once and a body where none is described; answers may gain members, so ignore the ones that you do not know.`;

/**
 * Makes the document. `operations` may hold operations of every plane.
 * @throws Error when a declaration can't be published: a schema beyond JSON Schema, an unnamed path parameter.
 */
export function openApiDocument(operations: readonly Operation[], options: DocumentOptions): OpenAPIObject {
  const published = operations
    .map(({ spec }) => spec)
    .filter(({ plane, legacy }) => plane === 'api' && (legacy === undefined || options.legacy === true))
    .sort(byPathAndMethod);
  const build: Build = {
    schemas: new SchemaCollector(),
    shared: sharedResponses(published),
  };
  const document = new OpenApiBuilder(skeleton(options));
  const tags = new Set(published.map(({ tag }) => tag));
  for (const name of new Set([...Object.keys(options.tags), ...tags])) {
    if (tags.has(name)) document.addTag({ name, description: options.tags[name] ?? '' });
  }
  for (const [path, specs] of Map.groupBy(published, (spec) => spec.path)) {
    const operations = specs.map((spec) => [spec.method.toLowerCase(), operationObject(build, spec)] as const);
    document.addPath(path, Object.fromEntries(operations));
  }
  for (const [name, parameter] of Object.entries(PARAMETERS)) document.addParameter(name, parameter);
  for (const [name, header] of Object.entries(HEADERS)) document.addHeader(name, header);
  for (const [name, codes] of build.shared) document.addResponse(name, problemResponse(codes));
  const codes = [...new Set(published.flatMap((spec) => [...problemStatuses(spec).values()].flat()))].sort();
  for (const [code, example] of Object.entries(problemExamples(options.base_url, codes)))
    document.addExample(code, example);
  for (const [name, schema] of Object.entries(build.schemas.components())) document.addSchema(name, schema);
  document.addSchema('ProblemDetails', PROBLEM_SCHEMA);
  return document.getSpec();
}

/** Its parts in reading order: a document is written in the order that it was made in. */
function skeleton({ base_url, version }: DocumentOptions): OpenAPIObject {
  return {
    openapi: '3.1.0',
    info: { title: 'Groundcrew API', version, description: INTRODUCTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: base_url || '/', description: 'This appliance.' }],
    tags: [],
    security: [{ bearer: [] }],
    paths: {},
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token: `gcr_<id>_<secret>`. Its scopes limit what it can do.',
        },
      },
      parameters: {},
      headers: {},
      responses: {},
      examples: {},
      schemas: {},
    },
  };
}

interface Build {
  schemas: SchemaCollector;
  shared: Map<string, readonly ErrorCode[]>;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const byPathAndMethod = (a: AnySpec, b: AnySpec) =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : METHODS.indexOf(a.method) - METHODS.indexOf(b.method);

const PARAMETERS: Record<string, ParameterObject> = {
  limit: {
    name: 'limit',
    in: 'query',
    description: `Items of a page. A larger number than ${PAGE_MAX} is refused with 422.`,
    schema: { type: 'integer', minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT },
  },
  cursor: {
    name: 'cursor',
    in: 'query',
    description: '`next_cursor` of the page before; the other parameters stay the same.',
    schema: { type: 'string', maxLength: 512 },
  },
  dry_run: {
    name: 'dry_run',
    in: 'query',
    description:
      '`true`: answers with the result and saves nothing; no audit event is written. Not locked while an apply or a restore runs.',
    schema: { type: 'boolean', default: false },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description:
      'Entity tags that the request is based on, such as `"r17"`, separated by commas, or `*`, which whatever exists meets. The request is refused with 412 when none of them is the current one, which is never a weak one, and with 400 when they are no entity tags. Optional.',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags that the caller has; a current one among them is answered with 304.',
    schema: { type: 'string' },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes sending again safe: the first answer is kept for 24 hours and replayed. The same key with another request is refused.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' },
  },
  'X-Request-ID': {
    name: 'X-Request-ID',
    in: 'header',
    description:
      'Id for this request in the log and the audit events; another value than the pattern allows is replaced.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  },
};

function operationObject(build: Build, spec: AnySpec): OperationObject {
  const asked = typeof spec.access === 'object' && 'scope' in spec.access ? spec.access.scope : null;
  const scope = asked === 'any' ? null : asked;
  const effect = EFFECTS[spec.effect];
  const said = spec.description.toLowerCase().includes(effect);
  const scopes = asked === 'any' ? 'Scope: none; any token that works.' : scope && `Scope: \`${scope}\`.`;
  const more = [
    scopes,
    !said && `Effect: ${effect}.`,
    spec.effect !== 'read' && !waitsForLock(spec) && GOES_ON,
    spec.bodyLimit !== undefined && `The body is at most ${inUnits(spec.bodyLimit)}.`,
  ].filter(Boolean);
  return {
    operationId: spec.id,
    tags: [spec.tag],
    summary: spec.summary,
    description: [spec.description, more.join(' ')].filter(Boolean).join('\n\n'),
    // OpenAPI 3.1 lets other schemes than OAuth name the roles that a request needs.
    ...(scope && { security: [{ bearer: [scope] }], 'x-required-scope': scope }),
    'x-effect': spec.effect,
    parameters: parameters(build, spec),
    ...(spec.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: build.schemas.convert(spec.body, 'input'), example: exampleOf(spec.body) },
        },
      },
    }),
    ...(spec.binary && {
      // OpenAPI 3.1: bytes as they are have no schema.
      requestBody: { required: true, content: bytesContent(build, spec) },
    }),
    responses: responses(build, spec),
  };
}

function bytesContent(build: Build, { media }: AnySpec): NonNullable<RequestBodyObject['content']> {
  if (!media) return { 'application/octet-stream': {} };
  const content = Object.entries(media).map(([type, schema]) => [
    type,
    { schema: schema ? build.schemas.convert(schema, 'input') : { type: 'string' as const } },
  ]);
  return Object.fromEntries(content);
}

const MIB = 1 << 20;
const inUnits = (bytes: number): string => (bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes / 1024} KiB`);

/** Whether the operation compares an If-Match with the revision of what it changes. */
export function takesIfMatch(spec: AnySpec): boolean {
  return spec.effect !== 'read' && spec.problems?.includes('revision_stale') === true;
}

function parameters(build: Build, spec: AnySpec): (ParameterObject | ReferenceObject)[] {
  const named = (name: keyof typeof PARAMETERS) => ({ $ref: `#/components/parameters/${name}` });
  const query = entriesOf(spec.query).map(([name, schema]) =>
    schema === PAGE_QUERY.limit || schema === PAGE_QUERY.cursor ? named(name) : parameter(build, 'query', name, schema),
  );
  const common = [
    takesDryRun(spec) && 'dry_run',
    takesIfMatch(spec) && 'If-Match',
    spec.effect === 'read' &&
      Object.values(spec.answers).some(({ tagged, live }) => tagged && !live) &&
      'If-None-Match',
    spec.method === 'POST' && 'Idempotency-Key',
    'X-Request-ID',
  ].filter((name) => name !== false);
  return [
    ...entriesOf(spec.params).map(([name, schema]) => parameter(build, 'path', name, schema)),
    ...query,
    ...common.map(named),
  ];
}

function parameter(build: Build, place: 'path' | 'query', name: string, schema: GenericSchema): ParameterObject {
  const { description, ...rest } = build.schemas.convert(schema, 'input') as SchemaObject;
  const required = place === 'path' || !['optional', 'exact_optional', 'nullish'].includes(schema.type);
  return { name, in: place, required, ...(description && { description }), schema: rest };
}

function entriesOf(schema: GenericSchema | undefined): [string, GenericSchema][] {
  return Object.entries((schema as { entries?: Record<string, GenericSchema> } | undefined)?.entries ?? {});
}

function responses(build: Build, spec: AnySpec): Record<string, ResponseObject | ReferenceObject> {
  const all: Record<string, ResponseObject | ReferenceObject> = {};
  for (const [status, answer] of Object.entries(spec.answers))
    all[status] = answerObject(build, spec, Number(status), answer);
  if (spec.effect === 'read' && Object.values(spec.answers).some(({ tagged, live }) => tagged && !live)) {
    all['304'] = { description: 'The caller has the current revision.', headers: headers(['X-Request-ID', 'ETag']) };
  }
  for (const [status, codes] of problemStatuses(spec)) {
    const name = kindName(codes);
    const same = build.shared.get(name)?.join() === codes.join();
    all[status] = same ? { $ref: `#/components/responses/${name}` } : problemResponse(codes);
  }
  return all;
}

function answerObject(build: Build, spec: AnySpec, status: number, answer: AnswerSpec): ResponseObject {
  const names = ['X-Request-ID'];
  if (answer.tagged) names.push('ETag');
  if (answer.located || (status === 201 && entriesOf(answer.schema).some(([name]) => name === 'id')))
    names.push('Location');
  if (spec.method === 'POST') names.push('Idempotency-Replayed');
  return {
    description: answer.description,
    headers: headers(names),
    ...(answer.schema && {
      content: { 'application/json': { schema: build.schemas.convert(answer.schema, 'output') } },
    }),
    ...(answer.media && { content: { [answer.media]: { schema: { type: 'string' } } } }),
  };
}

function headers(names: string[]): Record<string, ReferenceObject> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
