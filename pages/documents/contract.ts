// What the API explorer shows of the OpenAPI document: operations by group, each with its parameters, members of its body,
// answers, problems and a call with curl. Pure.
import type {
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
} from 'openapi3-ts/oas31';

export interface Member {
  name: string;
  type: string;
  required: boolean;
  about: string;
}

export interface Parameter extends Member {
  place: string;
}

export interface Answered {
  status: string;
  about: string;
  /** Error codes of a refusal. */
  codes: string[];
  /** Name of the schema of what comes back. */
  schema: string | null;
}

export interface Described {
  id: string;
  method: string;
  path: string;
  group: string;
  summary: string;
  about: string[];
  scope: string | null;
  effect: string;
  parameters: Parameter[];
  body: { members: Member[]; media: string; example: string | null } | null;
  answers: Answered[];
  curl: string;
}

export interface Group {
  name: string;
  /** Of its page: `?group=dns-dhcp`. */
  slug: string;
  about: string;
  operations: Described[];
}

export const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** How deep members of members are told. */
const DEPTH_MOST = 3;

export function groupsOf(document: OpenAPIObject): Group[] {
  const all = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [described(document, path, method, operation)] : [];
    }),
  );
  return (document.tags ?? []).map(({ name, description = '' }) => ({
    name,
    slug: slugOf(name),
    about: description,
    operations: all.filter(({ group }) => group === name),
  }));
}

/** The thing itself, where it is named. */
function resolved<T extends object>(document: OpenAPIObject, thing: T | ReferenceObject): T {
  if (!('$ref' in thing)) return thing;
  const parts = thing.$ref.replace(/^#\//, '').split('/');
  const found = parts.reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], document);
  if (found === undefined) throw new Error(`The document has no ${thing.$ref}.`);
  return found as T;
}

function described(document: OpenAPIObject, path: string, method: string, operation: OperationObject): Described {
  const parameters = (operation.parameters ?? [])
    .map((each) => resolved<ParameterObject>(document, each))
    .map((each) => ({
      name: each.name,
      place: each.in,
      type: each.schema ? typeOf(document, each.schema) : '',
      required: each.required ?? false,
      about: each.description ?? '',
    }));
  const body = bodyOf(document, operation);
  return {
    id: operation.operationId ?? `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    group: operation.tags?.[0] ?? '',
    summary: operation.summary ?? '',
    about: (operation.description ?? '').split('\n\n').filter((text) => !text.startsWith('Scope: ')),
    scope: (operation as { 'x-required-scope'?: string })['x-required-scope'] ?? null,
    effect: (operation as { 'x-effect'?: string })['x-effect'] ?? '',
    parameters,
    body,
    answers: Object.entries(operation.responses ?? {}).map(([status, response]) =>
      answered(status, resolved<ResponseObject>(document, response as ResponseObject | ReferenceObject)),
    ),
    curl: curlOf(document, path, method, parameters, body),
  };
}

function bodyOf(document: OpenAPIObject, { requestBody }: OperationObject): Described['body'] {
  if (requestBody === undefined) return null;
  const [entry] = Object.entries(resolved(document, requestBody).content);
  if (!entry) return null;
  const [media, { schema, example }] = entry;
  const members = schema && media === 'application/json' ? membersOf(document, schema) : [];
  return { members, media, example: example === undefined ? null : JSON.stringify(example, null, 2) };
}

/** Members with those below them: `ranges[].start`. */
function membersOf(document: OpenAPIObject, schema: SchemaObject | ReferenceObject, before = '', depth = 1): Member[] {
  const { properties = {}, required = [] } = resolved(document, schema);
  return Object.entries(properties).flatMap(([name, each]) => {
    const own = resolved(document, each);
    const inner = own.type === 'array' && own.items ? resolved(document, own.items) : own;
    const path = `${before}${name}`;
    const line = {
      name: path,
      type: typeOf(document, each),
      required: required.includes(name),
      about: own.description ?? '',
    };
    if (depth === DEPTH_MOST || inner.properties === undefined) return [line];
    const below = `${path}${own.type === 'array' ? '[]' : ''}.`;
    return [line, ...membersOf(document, inner, below, depth + 1)];
  });
}

/** `string`, `server | pool`, `list of string`, `integer or null`. */
function typeOf(document: OpenAPIObject, schema: SchemaObject | ReferenceObject): string {
  const own = resolved(document, schema);
  if (own.enum) return own.enum.map(String).join(' | ');
  if (own.const !== undefined) return String(own.const);
  if (own.anyOf) return [...new Set(own.anyOf.map((each) => typeOf(document, each)))].join(' or ');
  if (own.type === 'array') return own.items ? `list of ${typeOf(document, own.items)}` : 'list';
  return [own.type ?? 'any'].flat().join(' or ');
}

function answered(status: string, { description, content = {} }: ResponseObject): Answered {
  const [media = '', first] = Object.entries(content)[0] ?? [];
  const schema = first?.schema;
  const problem = media === 'application/problem+json';
  // A refusal's description ends with its codes.
  const codes = problem ? [...description.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code!) : [];
  return {
    status,
    about: problem ? description.replace(/: `.*$/s, '.') : description,
    codes,
    schema: problem || schema === undefined ? null : '$ref' in schema ? schema.$ref.split('/').at(-1)! : null,
  };
}

/** With the example of the body; texts of a shell stand in single quotes. */
function curlOf(
  document: OpenAPIObject,
  path: string,
  method: string,
  parameters: readonly Parameter[],
  body: Described['body'],
): string {
  const origin = document.servers?.[0]?.url.replace(/\/$/, '') || 'https://gc01.lab.example';
  const needed = parameters.filter(({ place, required }) => place === 'query' && required);
  const query = needed.length > 0 ? `?${needed.map(({ name }) => `${name}=…`).join('&')}` : '';
  const lines = [
    `curl -s${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} -H "Authorization: Bearer $TOKEN"`,
    ...(body === null ? [] : [`  -H 'Content-Type: ${body.media}'`]),
    ...(body?.example ? [`  -d '${JSON.stringify(JSON.parse(body.example)).replaceAll("'", "'\\''")}'`] : []),
    ...(body !== null && body.example === null ? ['  --data-binary @FILE'] : []),
    `  '${origin}${path}${query}'`,
  ];
  return lines.join(' \\\n');
}

/** Operations with each of the words in their id, path or texts. */
export function found(groups: readonly Group[], text: string): Described[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .flatMap(({ operations }) => operations)
    .filter((each) => {
      const all = [each.id, each.method, each.path, each.summary, each.group, ...each.about].join(' ').toLowerCase();
      return words.every((word) => all.includes(word));
    });
}
