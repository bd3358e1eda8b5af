// Query parameters that an operation doesn't know: refused by all that change anything, and ignored only where a definition
// says why. test/contract/mistakes.test.ts has those of the API.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { operations } from '../../runtime/generated/operations.ts';
import { pages } from '../../runtime/generated/pages.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { type Credentials, House } from '../setup/house.ts';
import { EVERYTHING, filled } from './scenarios/scenario.ts';

let house: House;
let admin: Credentials;
beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
});
afterAll(() => house.close());

const specs = EVERYTHING.map(({ spec }) => spec);
const pointersOf = (body: { errors?: { pointer: string }[] } | undefined): string[] =>
  (body?.errors ?? []).map(({ pointer }) => pointer);

test('what ignores them says why, and is a page or one of these', () => {
  const ignoring = EVERYTHING.filter(({ spec }) => spec.openQuery !== undefined);
  for (const { spec } of ignoring) expect(spec.openQuery).toMatch(/^[A-Z].{20,}\.$/);
  for (const { spec } of pages) expect(ignoring.map((each) => each.spec.id)).toContain(spec.id);
  const others = ignoring.filter((operation) => operations.includes(operation));
  expect(others.map(({ spec }) => spec.id).sort()).toEqual([
    'downloadAuditLog',
    'downloadLogs',
    'getHealth',
    'getPublicHealth',
    'getPublicStatus',
    'openPublicRoot',
    'openRoot',
    'showBootMenu',
    'startBootAttempt',
  ]);
});

test.each([
  ['GET', '/api/v1/dns/records', undefined],
  ['POST', '/api/v1/dns/zones', { name: 'lab.test' }],
  ['PATCH', '/api/v1/ntp/settings', {}],
])('an unknown one is called a query parameter: %s %s', async (method, path, body) => {
  const sent = await house.send(method, `${path}?surprise=1`, { token: admin.token, ...(body && { body }) });
  expect([sent.status, pointersOf(sent.body)]).toEqual([422, ['?surprise']]);
  expect(sent.text).toContain('no such query parameter');
  expect(sent.text).not.toMatch(/propert/i);
});

describe('a posted form refuses them', () => {
  const forms = EVERYTHING.filter(({ spec: { form, access } }) => form && typeof access === 'object');

  test.each(forms.map((form) => [form.spec.id, form] as const))('%s', async (_id, { spec, handler }) => {
    const before = await house.lastAudit();
    const type = spec.binary ? 'application/octet-stream' : 'application/x-www-form-urlencoded';
    const session = spec.plane === 'public' ? await house.guest(admin) : admin;
    const headers = { accept: 'application/json', 'content-type': type, 'x-csrf-token': session.csrf };
    const raw = spec.binary ? 'bytes' : `csrf=${session.csrf}`;
    const target = `${filled(spec.path)}?dryrun=true&other=1`;
    // The house's answers are those of the management plane.
    const asked = { ...house.event('POST', target, { session, raw, headers }), pathParameters: {} };
    const answer = spec.plane === 'public' ? await handler(asked, house) : await house.appliance.answer(asked);
    const [status, body] = [answer.statusCode, JSON.parse(answer.body)];
    expect([status, pointersOf(body)]).toEqual([422, expect.arrayContaining(['?dryrun', '?other'])]);
    expect(await house.lastAudit()).toBe(before);
  });
});

describe('a page opens whatever was added to its address', () => {
  const open = specs.filter(({ plane, form, path }) => plane === 'management' && !form && !path.includes('{'));

  test.each(open.map((spec) => [spec.id, spec] as const))('%s', async (_id, { path, openQuery, effect }) => {
    expect(effect).toBe('read');
    const ask = (query: string) => house.send('GET', `${path}${query}`, { session: admin });
    const [plain, added] = [await ask(''), await ask('?utm_source=mail&utm_source=chat')];
    expect(added.status).toBe(openQuery === undefined ? 422 : plain.status);
  });
});

test('a definition of the API can’t leave its query open, and no other without a reason', () => {
  const define = (more: object, path: string, plane: 'api' | 'management') =>
    defineOperation({
      id: 'contractQuery',
      method: 'GET',
      path,
      plane,
      access: plane === 'api' ? { scope: 'read:dns' } : 'public',
      effect: 'read',
      tag: 'Service',
      summary: 'List samples',
      description: 'Samples.',
      answers: { 200: { description: 'The samples.' } },
      run: async () => ({ body: {} }),
      ...more,
    });
  const open = v.object({});
  const reason = { openQuery: 'Somebody adds parameters.' };
  expect(() => define({ query: open }, '/api/v1/samples', 'api')).toThrow('a query that is a strict object');
  expect(() => define({ query: open, ...reason }, '/api/v1/samples', 'api')).toThrow('a query that is a strict object');
  expect(() => define({ query: open }, '/samples', 'management')).toThrow('a query that is a strict object');
  expect(() => define({ query: open, ...reason }, '/samples', 'management')).not.toThrow();
  expect(() => define({}, '/api/v1/samples', 'api')).not.toThrow();
});
