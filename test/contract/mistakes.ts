// What a caller can get wrong about an operation, made from what the OpenAPI document says of it: each mistake with the
// refusal that the document promises.
import type { OpenAPIObject, OperationObject, ParameterObject, SchemaObject } from 'openapi3-ts/oas31';
import type { ErrorCode } from '../../shared/ground/problems.ts';

export interface Mistake {
  /** The row of the table. */
  kind: string;
  /** Added to the query, `dryrun=true`. */
  query?: string;
  headers?: Record<string, string>;
  /** Instead of the body. */
  raw?: string;
  /** Added to the body. */
  members?: object;
  /** Instead of path parameters. */
  path?: Record<string, string>;
  refused: { status: number; error_code: ErrorCode; pointers?: string[] };
}

const invalid = (...pointers: string[]) => ({
  status: 422,
  error_code: 'request_validation_failed' as const,
  pointers,
});
const STALE = { status: 412, error_code: 'revision_stale' } as const;
const MALFORMED = { status: 400, error_code: 'malformed_request' } as const;
const MALFORMED_TAG = { status: 400, error_code: 'malformed_precondition' } as const;
const NO_JSON = { status: 400, error_code: 'malformed_json' } as const;
const NOTHING = { status: 404, error_code: 'resource_not_found' } as const;
const OTHER_MEDIA = { status: 415, error_code: 'media_type_unsupported' } as const;

/** All that can be wrong with a request to the operation. */
export function mistakesOf(document: OpenAPIObject, operation: OperationObject): Mistake[] {
  const parameters = (operation.parameters ?? []).map((each) => resolved<ParameterObject>(document, each));
  const named = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const ofHeaders = [
    ...(codesOf(document, operation, 400).includes('malformed_precondition')
      ? ofHeader('If-Match', ['r17', '"r17', 'W/r17', 'w/"r17"', '*, "r17"', '"r1" "r2"', ''], MALFORMED_TAG)
      : []),
    ...(named.has('If-Match')
      ? ofHeader('If-Match', ['"r99999"', '"5d41402a"', 'W/"r1"', '"r99998",, "r99999"', '"r01"'], STALE)
      : []),
    ...(named.has('Idempotency-Key')
      ? ofHeader('Idempotency-Key', ['', 'two words', 'schlüssel', 'x'.repeat(129)], MALFORMED)
      : []),
  ];
  const dry = named.has('dry_run') ? ofHeaders.map((mistake) => ({ ...mistake, query: 'dry_run=true' })) : [];
  return [
    ...ofQuery(parameters.filter((parameter) => parameter.in === 'query')),
    ...ofPath(
      parameters.filter((parameter) => parameter.in === 'path'),
      codesOf(document, operation, 404),
    ),
    ...ofHeaders,
    ...dry,
    ...ofBody(document, operation),
  ];
}

function ofQuery(parameters: ParameterObject[]): Mistake[] {
  const one = (kind: string, query: string, ...pointers: string[]): Mistake => {
    return { kind, query, refused: invalid(...pointers) };
  };
  return [
    one('unknown query parameter', 'surprise=1', '?surprise'),
    one('unknown query parameter', '__proto__=1', '?__proto__'),
    one('unknown query parameter', 'constructor', '?constructor'),
    one('unknown query parameter', '=1', '?'),
    one('two unknown query parameters', 'a%5B%5D=1&b.c=2', '?a[]', '?b.c'),
    ...['dryrun', 'dry-run', 'dryRun', 'DRY_RUN'].map((name) => one('misspelt dry_run', `${name}=true`, `?${name}`)),
    ...['maybe', '', 'TRUE', '1'].map((value) => one('dry_run that is neither', `dry_run=${value}`, '?dry_run')),
    ...parameters.flatMap(({ name, schema }) => [
      one('query parameter twice', `${name}=true&${name}=true`, `?${name}`),
      one('query parameter in capitals', `${name.toUpperCase()}=1`, `?${name.toUpperCase()}`),
      ...beyond(schema as SchemaObject).map((value) =>
        one('query value beyond its schema', `${name}=${value}`, `?${name}`),
      ),
    ]),
  ];
}

/** Values that a schema can't take. */
function beyond(schema: SchemaObject): string[] {
  const { maximum, minimum, maxLength } = schema;
  if (schema.enum) return ['nothing-like-it'];
  if (schema.type === 'integer') {
    return [`${maximum! + 1}`, `${minimum! - 1}`, '-1', '1.5', '1e1', 'ten', '', '%201', `${'9'.repeat(30)}`];
  }
  return maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)];
}

/** A word that is none of a path's names nothing, where the operation knows that answer. */
function ofPath(parameters: ParameterObject[], missing: string[]): Mistake[] {
  return parameters.flatMap(({ name, schema }) =>
    beyond(schema as SchemaObject).map((value) => ({
      kind: 'path parameter that cannot be',
      path: { [name]: value },
      refused: (schema as SchemaObject).enum && missing.includes('resource_not_found') ? NOTHING : invalid(`{${name}}`),
    })),
  );
}

function ofHeader(name: string, values: string[], refused: Mistake['refused']): Mistake[] {
  const kind = `${name} that is refused with ${refused.status}`;
  return values.map((value) => ({ kind, headers: { [name.toLowerCase()]: value }, refused }));
}

function ofBody(document: OpenAPIObject, operation: OperationObject): Mistake[] {
  const { requestBody } = operation;
  const { content = {} } = (requestBody ?? {}) as { content?: Record<string, { schema?: SchemaObject }> };
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'json', ''];
  const [media] = Object.entries(content);
  if (!media) {
    if (operation['x-effect'] === 'read') return [];
    return ['{"dry_run": true}', '[]', 'dry_run=true'].map((raw) => ({
      kind: 'body where none is taken',
      raw,
      refused: invalid(''),
    }));
  }
  const otherMedia = types.map((type) => ({
    kind: 'content type that is not taken',
    headers: { 'content-type': type },
    refused: OTHER_MEDIA,
  }));
  const [type, { schema }] = media;
  // A file is taken as it is, also one of JSON: what is wrong within it, its job says.
  if (type !== 'application/json' || Object.keys(content).length > 1) return otherMedia;
  const body = resolved<SchemaObject>(document, schema!);
  const [name = 'x'] = Object.keys(body.properties ?? {});
  const raw = (kind: string, text: string, refused: Mistake['refused']): Mistake => ({ kind, raw: text, refused });
  const unknown = (kind: string, members: object, ...pointers: string[]): Mistake => {
    return { kind, members, refused: invalid(...pointers) };
  };
  return [
    ...otherMedia,
    ...['', '{', 'nothing', "{'a': 1}", '{"a": 1,}', '{} {}'].map((text) =>
      raw('body that is not JSON', text, NO_JSON),
    ),
    ...['[]', '[{}]', 'null', '5', 'true', '"{}"'].map((text) => raw('body that is no object', text, invalid(''))),
    raw('member twice', `{"${name}": null, "${name}": null}`, invalid(`/${name}`)),
    raw('member of every object', '{"__proto__": {"admin": true}, "toString": 1}', invalid('/__proto__', '/toString')),
    unknown('member of every object', { constructor: 1 }, '/constructor'),
    unknown('unknown member', { surprise: 1 }, '/surprise'),
    unknown('two unknown members', { surprise: 1, 'a/b': null, '': 2 }, '/surprise', '/a~1b', '/'),
    ...Object.entries(body.properties ?? {}).flatMap(([outer, inner]) => {
      const list = resolved<SchemaObject>(document, inner as SchemaObject);
      const item = resolved<SchemaObject>(document, (list.items ?? list) as SchemaObject);
      if (item.additionalProperties !== false) return [];
      const value = { surprise: 1, another: 2 };
      const at = list.items ? `/${outer}/0` : `/${outer}`;
      const members = { [outer]: list.items ? [value] : value };
      return [unknown('two unknown members within', members, `${at}/surprise`, `${at}/another`)];
    }),
  ];
}

/** Error codes that the document lists for a status of the operation. */
function codesOf(document: OpenAPIObject, operation: OperationObject, status: number): string[] {
  const { content } = resolved<{ content?: Record<string, { examples?: object }> }>(
    document,
    operation.responses?.[status] ?? {},
  );
  return Object.keys(content?.['application/problem+json']?.examples ?? {});
}

function resolved<T>(document: OpenAPIObject, node: object): T {
  const { $ref } = node as { $ref?: string };
  if ($ref === undefined) return node as T;
  let found: unknown = document;
  for (const key of $ref.split('/').slice(1)) found = (found as Record<string, unknown>)[key];
  return found as T;
}
