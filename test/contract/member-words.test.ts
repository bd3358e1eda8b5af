// Every member of every body, generated from the schemas: what is said of a wrong value is a sentence of our own, and text that
// people type and others read holds nothing that nobody sees.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { FieldError } from '../../shared/ground/problems.ts';
import { OUR_WORDS } from '../../shared/ground/schemas/sentences.ts';
import type { AnySpec } from '../../shared/kernel/operation/operation.ts';
import { type Credentials, House } from '../setup/house.ts';
import { EVERYTHING } from './scenarios/scenario.ts';

let house: House;
let admin: Credentials;
beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
});
afterAll(() => house.close());

// biome-ignore lint/suspicious/noExplicitAny: schemas of every shape are walked.
type Schema = any;

interface Member {
  path: string[];
  schema: Schema;
}

/** Every member below a schema, `0` for the items of a list and `x` for those of a record. */
function membersOf(schema: Schema, path: string[] = []): Member[] {
  const own = { path, schema };
  switch (schema.type) {
    case 'optional':
    case 'exact_optional':
    case 'nullable':
    case 'nullish':
      return membersOf(schema.wrapped, path);
    case 'object':
    case 'strict_object':
      return [own, ...Object.entries(schema.entries).flatMap(([name, entry]) => membersOf(entry, [...path, name]))];
    case 'array':
      return [own, ...membersOf(schema.item, [...path, '0'])];
    case 'record':
      return [own, ...membersOf(schema.value, [...path, 'x'])];
    case 'union':
    case 'variant':
      return schema.options.flatMap((option: Schema) => membersOf(option, path));
    default:
      return [own];
  }
}

/** A body that holds nothing but the value, at its path. */
const bodyWith = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, name) => (name === '0' ? [inner] : { [name]: inner }), value);

const pointerOf = (path: readonly string[]): string => path.map((name) => `/${name}`).join('');

interface Parsed {
  issues?: v.BaseIssue<unknown>[];
}

/** What the operation says of the body: on the API through its handler, of a form through its schema. */
async function faultsOf(spec: AnySpec, body: unknown): Promise<FieldError[]> {
  if (spec.plane !== 'api') {
    const { issues = [] } = v.safeParse(spec.body, body, { abortPipeEarly: true, ...OUR_WORDS }) as Parsed;
    return issues.map((issue) => ({
      pointer: pointerOf((issue.path ?? []).map(({ key }) => String(key))),
      detail: issue.message,
    }));
  }
  const { handler } = EVERYTHING.find((operation) => operation.spec === spec)!;
  const event = house.event(spec.method, spec.path, { token: admin.token, body });
  const names = [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, 'x']);
  // A precondition that no resource meets: no body is good enough to be saved.
  event.headers['if-match'] = '"r0"';
  const answer = await handler({ ...event, pathParameters: Object.fromEntries(names) }, house);
  return (JSON.parse(answer.body) as { errors?: FieldError[] }).errors ?? [];
}

/** One of the operations that share a schema stands for all. */
const seen = new Set<unknown>();
const BODIES = EVERYTHING.map(({ spec }) => spec)
  .toSorted((one, other) => Number(other.plane === 'api') - Number(one.plane === 'api'))
  .filter(({ body }) => body !== undefined && !seen.has(body) && seen.add(body))
  .map((spec) => [spec.id, spec] as const);

function expectOwnWords({ pointer, detail }: FieldError): void {
  expect([pointer, detail]).toEqual([pointer, expect.stringMatching(/^["A-Z0-9].*\.$/s)]);
  expect([pointer, detail]).toEqual([pointer, expect.not.stringMatching(/^Invalid |received|undefined|NaN/)]);
}

const WRONG: readonly unknown[] = ['', 5, 1e300, null, [], {}, 'x'.repeat(600), { x: {} }];

describe('a wrong value is told in words of our own', () => {
  test.each(BODIES)('%s', async (_id, spec) => {
    for (const { path } of membersOf(spec.body)) {
      for (const value of WRONG) {
        for (const fault of await faultsOf(spec, bodyWith(path, value))) expectOwnWords(fault);
      }
    }
  });

  test('in a query or a path too', () => {
    for (const { spec } of EVERYTHING) {
      for (const schema of [spec.query, spec.params]) {
        for (const { path } of schema ? membersOf(schema) : []) {
          for (const value of ['', '-1', 'x'.repeat(5000)]) {
            const { issues = [] } = v.safeParse(schema, bodyWith(path, value), OUR_WORDS) as Parsed;
            for (const { message } of issues) expectOwnWords({ pointer: `${spec.id} ${path}`, detail: message });
          }
        }
      }
    }
  });
});

/** Names of members that hold what people type for people. */
const FOR_PEOPLE = /(?:^|_)(?:name|description|note|comment|label|title|organization)$/;
const UNSEEN = ['\u202e', '\u2066', '\u200b', '\u200d', '\u2028', '\u2029', '\u00ad', '\ufeff', '\u0007', '\u0085'];

const TEXTS = BODIES.flatMap(([id, spec]) =>
  membersOf(spec.body)
    .filter(({ path, schema }) => schema.type === 'string' && FOR_PEOPLE.test(path.at(-1) ?? ''))
    .map(({ path }) => [id, pointerOf(path), spec, path] as const),
);

test('the texts for people are found', () => {
  const pointers = new Set(TEXTS.map(([, pointer]) => pointer));
  for (const known of ['/name', '/description', '/note', '/records/0/description', '/organization'])
    expect(pointers).toContain(known);
});

describe('text for people holds nothing that nobody sees', () => {
  test.each(TEXTS)('%s %s', async (_id, pointer, spec, path) => {
    for (const sign of UNSEEN) {
      const faults = await faultsOf(spec, bodyWith(path, `a${sign}b`));
      expect([JSON.stringify(sign), faults.map((fault) => fault.pointer)]).toEqual([
        JSON.stringify(sign),
        expect.arrayContaining([pointer]),
      ]);
    }
  });
});

test('plain emoji, accents and scripts of the world are text for people', async () => {
  const description = 'Größe ✈️ 😀 学 ไทย שלום مرحبا';
  const answer = await house.send('POST', '/api/v1/dns/zones', {
    token: admin.token,
    body: { name: 'emoji.example', description },
  });
  expect([answer.status, answer.body.description]).toEqual([201, description]);
});

describe('a text that was saved before it was refused', () => {
  const old = 'a\u202eb';

  test('of an item lets its other members be edited, on the API and in the form', async () => {
    const { body: zone } = await house.send('POST', '/api/v1/dns/zones', {
      token: admin.token,
      body: { name: 'old.example' },
    });
    await house.services.store.write((tx) =>
      tx.run('UPDATE dns_zone SET description = ? WHERE id = ?', [old, zone.id]),
    );
    const path = `/api/v1/dns/zones/${zone.id}`;
    const edited = await house.send('PATCH', path, { token: admin.token, body: { enabled: false } });
    expect([edited.status, edited.body.description]).toEqual([200, old]);
    const page = `/ui/management/dns/zones/${zone.id}`;
    const shown = (await house.send('GET', page, { session: admin })).text;
    const [, revision = ''] = /name="revision" value="(\d+)"/.exec(shown) ?? [];
    const [, description = ''] = /name="description"[^>]* value="([^"]*)"/.exec(shown) ?? [];
    expect(description).toBe('ab');
    const form = { revision, description, enabled: 'on' };
    expect((await house.send('POST', page, { session: admin, form })).status).toBe(303);
  });

  test('of settings lets the other members be edited', async () => {
    const path = '/api/v1/certificate-authority/settings';
    await house.send('PATCH', path, { token: admin.token, body: { organization: 'Plain' } });
    await house.services.store.write((tx) =>
      tx.run("UPDATE unit_settings SET document = json_set(document, '$.organization', ?) WHERE document LIKE ?", [
        old,
        '%Plain%',
      ]),
    );
    const edited = await house.send('PATCH', path, { token: admin.token, body: { common_name: 'Root' } });
    expect([edited.status, edited.body.organization]).toEqual([200, old]);
  });
});
