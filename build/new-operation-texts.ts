// The texts of a new operation, by verb: a declaration that compiles, loads and answers, and the scenarios that prove it.
import { SCOPES } from '../shared/kernel/access/scopes.ts';

export interface NewOperation {
  area: string;
  verb: Verb;
  /** Singular. */
  thing: string;
}

interface VerbText {
  method: string;
  /** Of one thing, or of the collection. */
  one: boolean;
  effect: 'read' | 'desired-state';
  summary(words: string): string;
  description: string;
  answer: string;
  problems: string[];
  /** Lines of `run`, and what it takes out of its context. */
  takes: string;
  run(operation: NewOperation): string[];
  scenarios(operation: NewOperation): string[];
}

export type Verb = 'create' | 'list' | 'get' | 'update' | 'delete';

const SAVES = 'Saves desired state only; the host follows at the next reviewed apply.';
const title = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const camel = (words: string): string => words.split('-').map(title).join('');
const words = (thing: string): string => thing.replaceAll('-', ' ');
const parameter = (thing: string): string => `${thing.replaceAll('-', '_')}_id`;
const refuse = ({ thing }: NewOperation): string => `throw notFound('This ${words(thing)}');`;

function plural(thing: string): string {
  if (/[^aeiou]y$/.test(thing)) return `${thing.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(thing) ? `${thing}es` : `${thing}s`;
}

const missing = (name: string, method: string, body: string): string =>
  `{ name: '${name}', method: '${method}', path: \`\${PATH}/unknown\`,${body} status: 404, error_code: 'resource_not_found', audited: [] }`;

export const VERBS: Readonly<Record<Verb, VerbText>> = {
  create: {
    method: 'POST',
    one: false,
    effect: 'desired-state',
    summary: (thing) => `Create a ${thing}`,
    description: SAVES,
    answer: "201: { description: 'What was created.', schema: v.object({ id: idSchema, name: text('Its name.') }) }",
    problems: ['already_exists'],
    takes: 'services, body, audit',
    run: ({ area, thing }) => [
      `const id = newId('${thing.replaceAll('-', '_')}', services.entropy);`,
      '// Saving it is the work of a store file of the domain, in this transaction.',
      `audit({ action: '${area}.${thing}.create', resource_type: '${thing}', resource_id: id, detail: { name: body.name } });`,
      'return { status: 201, body: { id, name: body.name } };',
    ],
    scenarios: ({ area, thing }) => [
      `{ name: 'is created', method: 'POST', path: PATH, body: { name: 'first' }, status: 201, audited: ['${area}.${thing}.create'] }`,
      `{ name: 'an unknown member is refused', method: 'POST', path: PATH, body: { name: 'first', other: 1 }, status: 422, error_code: 'request_validation_failed', audited: [] }`,
    ],
  },
  list: {
    method: 'GET',
    one: false,
    effect: 'read',
    summary: (thing) => `List ${plural(thing)}`,
    description: 'In a stable order, a page at a time.',
    answer:
      "200: { description: 'The page.', schema: v.object({ items: described(v.array(v.object({ id: idSchema, name: text('Its name.') })), 'Items of this page.'), next_cursor: described(v.nullable(v.string()), 'Pass it as `cursor` for the next page; null on the last one.') }) }",
    problems: ['invalid_cursor'],
    takes: '',
    run: () => ['return { body: { items: [], next_cursor: null } };'],
    scenarios: () => ["{ name: 'an empty list', method: 'GET', path: PATH, status: 200, audited: [] }"],
  },
  get: {
    method: 'GET',
    one: true,
    effect: 'read',
    summary: (thing) => `Get a ${thing}`,
    description: 'One of them, with the entity tag that If-Match takes.',
    answer:
      "200: { description: 'What was asked for.', schema: v.object({ id: idSchema, name: text('Its name.'), revision: revisionSchema }), tagged: true }",
    problems: ['resource_not_found'],
    takes: '',
    run: (operation) => [refuse(operation)],
    scenarios: () => [missing('an unknown id', 'GET', '')],
  },
  update: {
    method: 'PATCH',
    one: true,
    effect: 'desired-state',
    summary: (thing) => `Update a ${thing}`,
    description: `Omitted members keep their value. ${SAVES}`,
    answer:
      "200: { description: 'What is saved now.', schema: v.object({ id: idSchema, name: text('Its name.'), revision: revisionSchema }), tagged: true }",
    problems: ['resource_not_found', 'revision_stale', 'malformed_precondition'],
    takes: '',
    run: (operation) => [refuse(operation)],
    scenarios: () => [missing('an unknown id', 'PATCH', " body: { name: 'other' },")],
  },
  delete: {
    method: 'DELETE',
    one: true,
    effect: 'desired-state',
    summary: (thing) => `Delete a ${thing}`,
    description: SAVES,
    answer: "204: { description: 'It is gone.' }",
    problems: ['resource_not_found', 'still_referenced', 'revision_stale', 'malformed_precondition'],
    takes: '',
    run: (operation) => [refuse(operation)],
    scenarios: () => [missing('an unknown id', 'DELETE', '')],
  },
};

const pathOf = ({ area, thing }: NewOperation): string => `/api/v1/${area}/${plural(thing)}`;

/** The scope of the area where it has one; `settings` until the list of scopes knows the area. */
function scopeOf({ area, verb }: NewOperation): string {
  const scope = `${VERBS[verb].effect === 'read' ? 'read' : 'write'}:${area}`;
  return (SCOPES as readonly string[]).includes(scope) ? scope : `${scope.split(':')[0]}:settings`;
}

export function handlerText(operation: NewOperation): string {
  const { area, verb, thing } = operation;
  const { method, one, effect, summary, description, answer, problems, takes, run } = VERBS[verb];
  const id = `${verb}${camel(area)}${camel(verb === 'list' ? plural(thing) : thing)}`;
  const mutates = effect !== 'read';
  const lines = run(operation);
  const body =
    verb === 'create'
      ? "v.pipe(v.string(), v.minLength(1, 'Enter a name.'), v.maxLength(80), v.description('Its name.'))"
      : "v.optional(described(v.string(), 'Its name.'))";
  const takesBody = verb === 'create' || verb === 'update';
  const used = [takesBody && `component ${body}`, one && 'idParam', verb === 'list' && 'PAGE_QUERY', answer].join(' ');
  const imports = ['component', 'described', 'idParam', 'idSchema', 'PAGE_QUERY', 'revisionSchema', 'text'].filter(
    (word) => new RegExp(`\\b${word}\\b`).test(used),
  );
  const needs = (word: string) => lines.some((line) => line.includes(`${word}(`));
  const text = [
    `// ${summary(words(thing))}.`,
    ...(verb === 'delete' ? [] : ["import * as v from 'valibot';"]),
    ...(needs('newId') ? ["import { newId } from '../../shared/ground/clock.ts';"] : []),
    ...(imports.length > 0
      ? [`import { ${imports.join(', ')} } from '../../shared/ground/schemas/component.ts';`]
      : []),
    "import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';",
    ...(needs('notFound') ? ["import { notFound } from '../../shared/ground/problems.ts';"] : []),
    '',
    'export const operation = defineOperation({',
    `  id: '${id}',`,
    `  method: '${method}',`,
    `  path: '${pathOf(operation)}${one ? `/{${parameter(thing)}}` : ''}',`,
    "  plane: 'api',",
    `  access: { scope: '${scopeOf(operation)}' },`,
    `  effect: '${effect}',`,
    `  tag: '${area.length <= 4 ? area.toUpperCase() : title(words(area))}',`,
    `  summary: '${summary(words(thing))}',`,
    `  description: '${description}',`,
    ...(one ? [`  params: idParam('${parameter(thing)}', 'Id of the ${words(thing)}.'),`] : []),
    ...(verb === 'list' ? ['  query: v.strictObject({ ...PAGE_QUERY }),'] : []),
    ...(takesBody
      ? [
          '  body: component(',
          `    '${camel(area)}${camel(thing)}${title(verb)}',`,
          `    v.strictObject({ name: ${body} }),`,
          "    { name: 'first' },",
          '  ),',
        ]
      : []),
    `  answers: { ${answer} },`,
    `  problems: [${problems.map((code) => `'${code}'`).join(', ')}],`,
    ...(mutates ? [`  audit: ['${area}.${thing}.${verb}'],`] : []),
    `  async run(${takes === '' ? '' : `{ ${takes} }`}) {`,
    ...lines.map((line) => `    ${line}`),
    '  },',
    '});',
  ];
  return `${text.join('\n')}\n`;
}

export function testText(operation: NewOperation): string {
  const { verb, thing } = operation;
  const { one, method } = VERBS[verb];
  const target = one ? `\`\${PATH}/unknown\`` : 'PATH';
  return `// ${VERBS[verb].summary(words(thing))}: scenarios.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Credentials, House } from '../setup/house.ts';

const PATH = '${pathOf(operation)}';

interface Scenario {
  name: string;
  method: string;
  path: string;
  body?: unknown;
  status: number;
  error_code?: string;
  /** Audit events that it writes, exactly. */
  audited: string[];
}

const SCENARIOS: Scenario[] = [
${VERBS[verb]
  .scenarios(operation)
  .map((line) => `  ${line},`)
  .join('\n')}
];

let house: House;
let admin: Credentials;
beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
});
afterAll(() => house.close());

describe('${VERBS[verb].summary(words(thing))}', () => {
  test.each(SCENARIOS)('$name', async ({ method, path, body, status, error_code, audited }) => {
    const before = await house.lastAudit();
    const heard = await house.send(method, path, { token: admin.token, ...(body !== undefined && { body }) });
    expect(heard.status).toBe(status);
    if (error_code !== undefined) expect(heard.body).toMatchObject({ error_code });
    expect(await house.audited(before)).toEqual(audited);
  });

  test('without a token it is refused', async () => {
    const heard = await house.send('${method}', ${target}${method === 'POST' || method === 'PATCH' ? ', { body: {} }' : ''});
    expect(heard.status).toBe(401);
  });
});
`;
}
