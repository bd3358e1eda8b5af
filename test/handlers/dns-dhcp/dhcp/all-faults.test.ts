// A scope with faults that the schema finds and faults that the rules of a subnet find: all come at once.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Credentials, House } from '../../../setup/house.ts';
import { furnishDhcp } from './scene.ts';

let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
  await furnishDhcp(house);
});
afterAll(() => house.close());

const WRONG = ['name', 'subnet_cidr', 'ranges', 'gateway', 'dns_servers', 'lease_time'];

test('the form names each of six wrong fields, in its order, and is not stopped by the browser', async () => {
  const form = {
    name: '!!',
    enabled: 'true',
    interface: 'ens224',
    subnet_cidr: '10.20.10.0/33',
    ranges: '10.1.1.1-9\nfoo',
    gateway: 'abc',
    dns_servers: 'xx',
    lease_time: '1',
  };
  const target = '/ui/management/dhcp/scopes/new';
  const { status, text } = await house.send('POST', target, { session: admin, form });
  const summary = /id="errors".*?<\/ul>/s.exec(text)?.[0] ?? '';
  const linked = [...summary.matchAll(/<a href="#([^"]+)"/g)].map(([, field]) => field);
  expect([status, [...new Set(linked)]]).toEqual([422, WRONG]);
  for (const field of WRONG) expect(text).toContain(`id="${field}-error"`);
  expect(text).toMatch(/<form [^>]*aria-label="New scope" novalidate/);
});

test('the API names them too, for a new scope and for an edit, and saves nothing', async () => {
  const body = {
    name: '!!',
    subnet_cidr: '10.20.10.0/33',
    ranges: [{ start: '10.1.1.1', end: 'foo' }],
    gateway: 'abc',
    dns_servers: ['xx'],
    lease_time: 1,
  };
  const before = await house.lastAudit();
  for (const [method, path] of [
    ['POST', '/api/v1/dhcp/scopes'],
    ['PATCH', '/api/v1/dhcp/scopes/scope_lab'],
  ] as const) {
    const { status, body: problem } = await house.send(method, path, { token: admin.token, body });
    const members = problem.errors.map(({ pointer }: { pointer: string }) => pointer.split('/')[1]);
    expect([status, [...new Set(members)].sort()]).toEqual([422, [...WRONG].sort()]);
  }
  expect(await house.audited(before)).toEqual([]);
});
