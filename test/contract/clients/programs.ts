// The programs that are compiled beside the generated clients. One for each client calls every operation of the document, with
// the types of that client and no cast; the others are refused in each line that is marked.
import type { OpenAPIObject, OperationObject, ParameterObject, ResponseObject, SchemaObject } from 'openapi3-ts/oas31';

export interface Called {
  id: string;
  method: string;
  path: string;
  operation: OperationObject;
}

export function operationsOf(document: OpenAPIObject): Called[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, OperationObject>).map(([method, operation]) => ({
      ...{ id: operation.operationId!, method: method.toUpperCase(), path, operation },
    })),
  );
}

/** `bodies-of.ts` as the document has it: exactly the operations that take JSON, each with its body. */
const BODIES_OF = `
import type { operations } from './schema.ts';
export type Given = Readonly<Record<string, string>>;
type Body<Id extends keyof operations> =
  operations[Id] extends { requestBody: { content: { 'application/json': infer B } } } ? B : never;
export type BodiesOf = {
  readonly [Id in keyof operations as [Body<Id>] extends [never] ? never : Id]: (given: Given) => Body<Id>;
};
`;

const HEAD = `
import { BODIES as ALL } from './bodies.ts';
import type { BodiesOf, Given } from './bodies-of.ts';
const BODIES: BodiesOf = ALL;
/** A text as one of the words that a path takes. */
function oneOf<const Word extends string>(text: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === text);
  if (found === undefined) throw new Error(text + ' is none of ' + words.join());
  return found;
}
export interface Options { baseUrl: string; token: string; fetch: (request: Request) => Promise<Response> }
`;

/** Queries of scenarios as `?name=value`, by operation id. */
type Queries = Readonly<Record<string, string | undefined>>;

/** By file name. */
export function programs(document: OpenAPIObject, queries: Queries): Record<string, string> {
  const all = operationsOf(document);
  return {
    'bodies-of.ts': BODIES_OF,
    'fetch-calls.ts': `import createClient from 'openapi-fetch';
import type { paths } from './schema.ts';${HEAD}
export function calls({ baseUrl, token, fetch }: Options) {
  const api = createClient<paths>({ baseUrl, fetch, headers: { Authorization: \`Bearer \${token}\` } });
  return {\n${all.map((each) => fetchCall(each, queries[each.id])).join('\n')}\n  };\n}\n`,
    'sdk-calls.ts': `import { createClient } from './sdk/client/index.ts';
import * as sdk from './sdk/index.ts';${HEAD}
export function calls({ baseUrl, token, fetch }: Options) {
  const client = createClient({ baseUrl, auth: token, fetch: (input, init) => fetch(new Request(input, init)) });
  return {\n${all.map((each) => sdkCall(each, queries[each.id])).join('\n')}\n  };\n}\n`,
  };
}

function fetchCall({ id, method, path, operation }: Called, query = ''): string {
  const at = [...pathOf(path, operation), ...queryOf(operation, query)];
  const parts = [
    ...(at.length > 0 ? [`params: { ${at.join(', ')} }`] : []),
    ...bodyOf(id, operation),
    ...(sendsBytes(operation)
      ? ["bodySerializer: (bytes) => bytes, headers: { 'Content-Type': 'application/octet-stream' }"]
      : []),
    ...(answersText(operation) ? ["parseAs: 'text'"] : []),
  ];
  return `    ${id}: (given: Given) => api.${method}('${path}', { ${parts.join(', ')} }),`;
}

function sdkCall({ id, path, operation }: Called, query = ''): string {
  const parts = ['client', ...pathOf(path, operation), ...queryOf(operation, query), ...bodyOf(id, operation)];
  if (answersText(operation)) parts.push("parseAs: 'text'");
  return `    ${id}: (given: Given) => sdk.${id}({ ${parts.join(', ')} }),`;
}

function pathOf(path: string, operation: OperationObject): string[] {
  const values = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const words = schemaOf(operation, 'path', name!).enum;
    return `${name}: ${words ? `oneOf(given.${name}!, ${JSON.stringify(words)})` : `given.${name}!`}`;
  });
  return values.length > 0 ? [`path: { ${values.join(', ')} }`] : [];
}

function schemaOf({ parameters }: OperationObject, place: string, name: string): SchemaObject {
  const stated = (parameters as ParameterObject[]).find((each) => each.in === place && each.name === name);
  return (stated?.schema ?? {}) as SchemaObject;
}

/** Values in the types that the document states. */
function queryOf(operation: OperationObject, query: string): string[] {
  const pairs = [...new URLSearchParams(query)].map(([name, value]) => {
    const { type } = schemaOf(operation, 'query', name);
    return `${name}: ${type === 'boolean' || type === 'integer' ? value : JSON.stringify(value)}`;
  });
  return pairs.length > 0 ? [`query: { ${pairs.join(', ')} }`] : [];
}

function bodyOf(id: string, operation: OperationObject): string[] {
  if (!operation.requestBody) return [];
  return [sendsBytes(operation) ? "body: new Blob(['bytes'])" : `body: BODIES.${id}(given)`];
}

const contentOf = (object: unknown): object => (object as ResponseObject | undefined)?.content ?? {};
const sendsBytes = ({ requestBody }: OperationObject): boolean => 'application/octet-stream' in contentOf(requestBody);

function answersText({ responses }: OperationObject): boolean {
  const [first] = Object.entries(responses ?? {}).flatMap(([status, response]) =>
    status.startsWith('2') ? Object.keys(contentOf(response)) : [],
  );
  return first !== undefined && !/\bjson$/.test(first);
}

/** Ends a line that the compiler has to refuse, with a word of its reason. */
export const REFUSED = '// refused: ';

const FETCH = `import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';
type Update = components['schemas']['PhysicalInterfaceUpdate'];
const api = createClient<paths>({ baseUrl: 'https://gc01.lab.test' });
`;
const SDK = `import { createVlan, listPhysicalInterfaces, updatePhysicalInterface } from './sdk/index.ts';
`;

/**
 * What somebody would write, right and wrong. openapi-fetch infers a request's options, so that TypeScript looks for unknown
 * members of a body only where `satisfies` asks for it.
 */
export const MISTAKES: Readonly<Record<string, string>> = {
  'fetch-mistakes.ts': `${FETCH}
export async function right() {
  const at = { path: { name: 'ens192' }, query: { dry_run: true } };
  const { data, error } = await api.PATCH('/api/v1/interfaces/physical/{name}', { params: at, body: { role: 'management' } });
  await api.GET('/api/v1/interfaces/physical', { params: { query: { role: 'route' } } });
  await api.POST('/api/v1/vlans', { body: { parent_interface: 'ens192', vlan_id: 7, role: 'route' } });
  const said: string = error ? error.error_code : data.name;
  return said;
}
export async function wrong() {
  const params = { path: { name: 'ens192' } };
  await api.PATCH('/api/v1/interfaces/physical/{name}', { params, body: { role: 'mangement' } }); ${REFUSED}mangement
  await api.POST('/api/v1/vlans', { body: { parent_interface: 'ens192', vlan_id: 7, role: 'mangement' } }); ${REFUSED}mangement
  await api.PATCH('/api/v1/interfaces/physical/{name}', { params, body: { rol: 'management' } satisfies Update }); ${REFUSED}'rol'
  await api.POST('/api/v1/vlans', { body: { parent_interfce: 'ens192', vlan_id: 7 } }); ${REFUSED}'parent_interfce'
  await api.PATCH('/api/v1/interfaces/physical/{name}', { params: { ...params, query: { dryrun: true } }, body: {} }); ${REFUSED}'dryrun'
  await api.GET('/api/v1/interfaces/physical', { params: { query: { role: 'mangement' } } }); ${REFUSED}mangement
  await api.PATCH('/api/v1/interface/physical/{name}', { params, body: { role: 'management' } }); ${REFUSED}/api/v1/interface/physical
  await api.PATCH('/api/v1/interfaces/physical/{name}', { params: { path: { nme: 'ens192' } }, body: {} }); ${REFUSED}'nme'
  await api.PUT('/api/v1/vlans', { body: {} }); ${REFUSED}/api/v1/vlans
  await api.POST('/api/v1/vlans', { body: { parent_interface: 'ens192' } }); ${REFUSED}vlan_id
  const { error } = await api.GET('/api/v1/account');
  return error?.eror_code; ${REFUSED}'eror_code'
}
`,
  'sdk-mistakes.ts': `${SDK}
export async function right() {
  const at = { path: { name: 'ens192' }, query: { dry_run: true } };
  const { data, error } = await updatePhysicalInterface({ ...at, body: { role: 'management' } });
  await listPhysicalInterfaces({ query: { role: 'route' } });
  await createVlan({ body: { parent_interface: 'ens192', vlan_id: 7, role: 'route' } });
  const said: string | undefined = error ? error.error_code : data?.name;
  return said;
}
export async function wrong() {
  const path = { name: 'ens192' };
  await updatePhysicalInterface({ path, body: { role: 'mangement' } }); ${REFUSED}mangement
  await createVlan({ body: { parent_interface: 'ens192', vlan_id: 7, role: 'mangement' } }); ${REFUSED}mangement
  await updatePhysicalInterface({ path, body: { rol: 'management' } }); ${REFUSED}'rol'
  await updatePhysicalInterface({ path, query: { dryrun: true }, body: {} }); ${REFUSED}'dryrun'
  await listPhysicalInterfaces({ query: { role: 'mangement' } }); ${REFUSED}mangement
  await updatePhysicalInterface({ path, body: {}, url: '/api/v1/interface/physical/{name}' }); ${REFUSED}'url'
  await updatePhysicalInterface({ path: { nme: 'ens192' }, body: {} }); ${REFUSED}'nme'
  await createVlan({ body: { parent_interface: 'ens192', vlan_id: 7, rol: 'route' } }); ${REFUSED}'rol'
  await createVlan({ body: { parent_interface: 'ens192' } }); ${REFUSED}vlan_id
  const { error } = await listPhysicalInterfaces();
  return error?.eror_code; ${REFUSED}'eror_code'
}
`,
};
