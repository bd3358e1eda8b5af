// The texts of a new operation, by verb: a declaration that compiles, loads and answers, and the scenarios that prove it.
import { SCOPES } from '../shared/kernel/access/scopes.ts';

export interface NewOperation {
  /** Folder below handlers/, such as `dns-dhcp/dns`; its last part begins the ids and the audit actions. */
  place: string;
  verb: string;
  /** Singular. */
  thing: string;
  /** What its neighbours have: the part of their paths after /api/v1/, the resource of their scopes, their tag. */
  area: string;
  resource: string;
  tag: string;
}

interface VerbText {
  method: string;
  /** Of one thing, or of the collection. */
  one: boolean;
  effect: 'read' | 'desired-state';
  summary(words: string): string;
  description: string;
  /** The declaration of its answer. */
  answer: string;
  problems: string[];
  /** Lines of `run`, and what it takes out of its context. */
  takes: string;
  run(operation: NewOperation): string[];
  scenarios(operation: NewOperation): string[];
}

const SAVES = 'Saves desired state only; the host follows at the next reviewed apply.';
const title = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const camel = (words: string): string => words.split('-').map(title).join('');
const words = (thing: string): string => thing.replaceAll('-', ' ');
const parameter = (thing: string): string => `${thing.replaceAll('-', '_')}_id`;
const refuse = ({ thing }: NewOperation): string => `throw notFound('This ${words(thing)}');`;
const aOrAn = (thing: string): string => `${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing}`;
const subject = ({ place }: NewOperation): string => place.split('/').at(-1)!;
const auditOf = (operation: NewOperation): string => `${subject(operation)}.${operation.thing}.${operation.verb}`;

function plural(thing: string): string {
  if (/[^aeiou]y$/.test(thing)) return `${thing.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(thing) ? `${thing}es` : `${thing}s`;
}

/** Its detail names the thing: a path that leads nowhere is told with other words. */
const missing = ({ thing }: NewOperation, method: string, below = '', body = ''): string =>
  `{ name: 'an unknown id', method: '${method}', path: \`\${PATH}/unknown${below}\`,${body} status: 404, answer: { error_code: 'resource_not_found', detail: 'This ${words(thing)} does not exist.' }, audited: [] }`;

const VERBS: Readonly<Record<string, VerbText>> = {
  create: {
    method: 'POST',
    one: false,
    effect: 'desired-state',
    summary: (thing) => `Create ${aOrAn(thing)}`,
    description: SAVES,
    answer: "201: { description: 'What was created.', schema: v.object({ id: idSchema, name: text('Its name.') }) }",
    problems: ['already_exists'],
    takes: 'services, body, audit',
    run: (operation) => [
      `const id = newId('${operation.thing.replaceAll('-', '_')}', services.entropy);`,
      '// Saving it is the work of a store file of the domain, in this transaction.',
      `audit({ action: '${auditOf(operation)}', resource_type: '${operation.thing}', resource_id: id, detail: { name: body.name } });`,
      'return { status: 201, body: { id, name: body.name } };',
    ],
    scenarios: (operation) => [
      `{ name: 'is created', method: 'POST', path: PATH, body: { name: 'first' }, status: 201, answer: { id: expect.stringMatching(/^${operation.thing.replaceAll('-', '_')}_/), name: 'first' }, audited: ['${auditOf(operation)}'] }`,
      `{ name: 'an unknown member is refused', method: 'POST', path: PATH, body: { name: 'first', other: 1 }, status: 422, answer: { error_code: 'request_validation_failed', errors: [{ pointer: '/other' }] }, audited: [] }`,
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
    scenarios: () => [
      "{ name: 'an empty list', method: 'GET', path: PATH, status: 200, answer: { items: [], next_cursor: null }, audited: [] }",
    ],
  },
  get: {
    method: 'GET',
    one: true,
    effect: 'read',
    summary: (thing) => `Get ${aOrAn(thing)}`,
    description: 'One of them, with the entity tag that If-Match takes.',
    answer:
      "200: { description: 'What was asked for.', schema: v.object({ id: idSchema, name: text('Its name.'), revision: revisionSchema }), tagged: true }",
    problems: ['resource_not_found'],
    takes: '',
    run: (operation) => [refuse(operation)],
    scenarios: (operation) => [missing(operation, 'GET')],
  },
  update: {
    method: 'PATCH',
    one: true,
    effect: 'desired-state',
    summary: (thing) => `Update ${aOrAn(thing)}`,
    description: `Omitted members keep their value. ${SAVES}`,
    answer:
      "200: { description: 'What is saved now.', schema: v.object({ id: idSchema, name: text('Its name.'), revision: revisionSchema }), tagged: true }",
    problems: ['resource_not_found', 'revision_stale', 'malformed_precondition'],
    takes: '',
    run: (operation) => [refuse(operation)],
    scenarios: (operation) => [missing(operation, 'PATCH', '', " body: { name: 'other' },")],
  },
  delete: {
    method: 'DELETE',
    one: true,
    effect: 'desired-state',
    summary: (thing) => `Delete ${aOrAn(thing)}`,
    description: SAVES,
    answer: "204: { description: 'It is gone.' }",
    problems: ['resource_not_found', 'still_referenced', 'revision_stale', 'malformed_precondition'],
    takes: '',
    run: (operation) => [refuse(operation)],
    scenarios: (operation) => [missing(operation, 'DELETE')],
  },
};

/** What a verb of its own asks of one thing; those that only look are GETs. */
const LOOKS = new Set(['check', 'count', 'download', 'find', 'preview', 'search', 'show', 'validate']);

function textOf({ verb }: NewOperation): VerbText {
  if (Object.hasOwn(VERBS, verb)) return VERBS[verb]!;
  const looks = LOOKS.has(verb);
  return {
    method: looks ? 'GET' : 'POST',
    one: true,
    effect: looks ? 'read' : 'desired-state',
    summary: (thing) => `${title(verb)} ${aOrAn(thing)}`,
    description: looks ? 'Changes nothing.' : SAVES,
    answer: "200: { description: 'What came of it.', schema: v.object({ id: idSchema, name: text('Its name.') }) }",
    problems: ['resource_not_found'],
    takes: '',
    run: (operation) => [refuse(operation)],
    scenarios: (operation) => [missing(operation, looks ? 'GET' : 'POST', `/${verb}`)],
  };
}

const pathOf = ({ area, thing }: NewOperation): string => `/api/v1/${area}/${plural(thing)}`;

/** `settings` until the list of scopes knows the resource. */
function scopeOf(operation: NewOperation): string {
  const right = textOf(operation).effect === 'read' ? 'read' : 'write';
  const scope = `${right}:${operation.resource}`;
  return (SCOPES as readonly string[]).includes(scope) ? scope : `${right}:settings`;
}

export function handlerText(operation: NewOperation): string {
  const { place, verb, thing } = operation;
  const { method, one, effect, summary, description, answer, problems, takes, run } = textOf(operation);
  const owner = camel(subject(operation));
  const id = `${verb}${owner}${camel(verb === 'list' ? plural(thing) : thing)}`;
  const path = `${pathOf(operation)}${one ? `/{${parameter(thing)}}` : ''}${Object.hasOwn(VERBS, verb) ? '' : `/${verb}`}`;
  const root = '../'.repeat(place.split('/').length + 1);
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
    ...(needs('newId') ? [`import { newId } from '${root}shared/ground/clock.ts';`] : []),
    ...(imports.length > 0
      ? [`import { ${imports.join(', ')} } from '${root}shared/ground/schemas/component.ts';`]
      : []),
    `import { defineOperation } from '${root}shared/kernel/operation/define-operation.ts';`,
    ...(needs('notFound') ? [`import { notFound } from '${root}shared/ground/problems.ts';`] : []),
    '',
    'export const operation = defineOperation({',
    `  id: '${id}',`,
    `  method: '${method}',`,
    `  path: '${path}',`,
    `  access: { scope: '${scopeOf(operation)}' },`,
    ...(mutates ? [`  effect: '${effect}',`] : []),
    `  tag: '${operation.tag}',`,
    `  summary: '${summary(words(thing))}',`,
    `  description: '${description}',`,
    ...(one ? [`  params: idParam('${parameter(thing)}', 'Id of the ${words(thing)}.'),`] : []),
    ...(verb === 'list' ? ['  query: v.strictObject({ ...PAGE_QUERY }),'] : []),
    ...(takesBody
      ? [
          '  body: component(',
          `    '${owner}${camel(thing)}${title(verb)}',`,
          `    v.strictObject({ name: ${body} }),`,
          "    { name: 'first' },",
          '  ),',
        ]
      : []),
    `  answers: { ${answer} },`,
    `  problems: [${problems.map((code) => `'${code}'`).join(', ')}],`,
    ...(mutates ? [`  audit: ['${auditOf(operation)}'],`] : []),
    `  async run(${takes === '' ? '' : `{ ${takes} }`}) {`,
    ...lines.map((line) => `    ${line}`),
    '  },',
    '});',
  ];
  return `${text.join('\n')}\n`;
}

export function testText(operation: NewOperation): string {
  const { summary, scenarios } = textOf(operation);
  const what = summary(words(operation.thing));
  return `// ${what}: what is answered and recorded.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Credentials, House } from '${'../'.repeat(operation.place.split('/').length + 1)}setup/house.ts';

const PATH = '${pathOf(operation)}';

interface Scenario {
  name: string;
  method: string;
  path: string;
  body?: unknown;
  status: number;
  /** What the body of the answer holds. */
  answer: object;
  /** Audit events that it writes, exactly. */
  audited: string[];
}

const SCENARIOS: Scenario[] = [
${scenarios(operation)
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

describe('${what}', () => {
  test.each(SCENARIOS)('$name', async ({ method, path, body, status, answer, audited }) => {
    const before = await house.lastAudit();
    const heard = await house.send(method, path, { token: admin.token, ...(body !== undefined && { body }) });
    expect(heard.status).toBe(status);
    expect(heard.body).toMatchObject(answer);
    expect(await house.audited(before)).toEqual(audited);
  });
});
`;
}
