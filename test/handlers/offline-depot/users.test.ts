// Depot users, the software depot ID and the page of the offline depot: what is refused, and what is never told.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Credentials, House } from '../../setup/house.ts';

const BASE = '/api/v1/private-cloud-services';
const PAGE = '/ui/management/offline-depot';
const PASSWORD = 'a password that is nowhere told';

let house: House;
let admin: Credentials;
const logged: string[] = [];
beforeAll(async () => {
  house = await House.open({ log: (line) => logged.push(line) });
  admin = await house.actor('admin');
});
afterAll(() => house.close());

const api = (method: string, path: string, body?: unknown) =>
  house.send(method, `${BASE}${path}`, { token: admin.token, ...(body !== undefined && { body }) });
const page = async (path = '') => (await house.send('GET', `${PAGE}${path}`, { session: admin })).text;
const form = (path: string, fields: Record<string, string>) =>
  house.send('POST', `${PAGE}${path}`, { session: admin, form: fields });

describe('a depot user', () => {
  test('is added, given another password and deleted, and its password is nowhere', async () => {
    const seq = await house.lastAudit();
    const { status, body: user, text } = await api('POST', '/http-users', { name: 'depot', password: PASSWORD });
    expect([status, text.includes(PASSWORD)]).toEqual([201, false]);
    const other = await api('PATCH', `/http-users/${user.id}`, { password: `${PASSWORD} 2` });
    expect([other.status, other.body.revision]).toEqual([200, 2]);
    expect((await api('DELETE', `/http-users/${user.id}`)).status).toBe(204);
    const rows = await house.services.store.all<{ action: string; detail: string }>(
      'SELECT action, detail FROM audit_event WHERE seq > ? ORDER BY seq',
      [seq],
    );
    expect(rows.map(({ action }) => action)).toEqual(
      ['create', 'update', 'delete'].map((verb) => `depot.http_user.${verb}`),
    );
    expect(JSON.stringify([rows, logged])).not.toMatch(/nowhere told|scrypt/);
  });

  test.each([
    ['a colon in its name', { name: 'de:pot', password: PASSWORD }, '/name'],
    ['no name', { name: '', password: PASSWORD }, '/name'],
    ['a short password', { name: 'depot', password: 'short' }, '/password'],
    ['a password with a line break', { name: 'depot', password: 'a password\nof two lines' }, '/password'],
  ])('is refused with %s', async (_what, draft, pointer) => {
    const { status, body } = await api('POST', '/http-users', draft);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  test('stays while the settings choose it, and can’t be chosen before it is there', async () => {
    const early = await api('PATCH', '/settings', { http_user: 'later' });
    expect([early.status, early.body.errors[0].pointer]).toEqual([422, '/http_user']);
    const { body: user } = await api('POST', '/http-users', { name: 'later', password: PASSWORD });
    expect((await api('POST', '/http-users', { name: 'later', password: PASSWORD })).body.error_code).toBe(
      'already_exists',
    );
    expect((await api('PATCH', '/settings', { http_user: 'later' })).status).toBe(200);
    expect((await api('GET', `/http-users/${user.id}`)).body.selected).toBe(true);
    const refused = await api('DELETE', `/http-users/${user.id}`);
    expect([refused.status, refused.body.error_code]).toEqual([409, 'still_referenced']);
    expect((await form(`/users/${user.id}/delete`, { revision: '1' })).text).toContain('They name later');
    await api('PATCH', '/settings', { http_user: '' });
    expect((await api('DELETE', `/http-users/${user.id}`)).status).toBe(204);
  });

  test('is told by its form what is wrong, with the name that was typed and without the password', async () => {
    const { status, text } = await form('/users/new', { name: 'Not A Name', password: PASSWORD });
    expect([status, text.includes('Not A Name'), text.includes(PASSWORD)]).toEqual([422, true, false]);
    expect(text).toContain('Lower-case letters');
  });
});

test('a new software depot ID takes the place of one only when that is confirmed', async () => {
  const first = await api('POST', '/software-depot-id', {});
  expect([first.status, first.body.replaced]).toEqual([201, null]);
  expect(first.body.software_depot_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const refused = await api('POST', '/software-depot-id', {});
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/confirm']);
  expect((await form('/software-depot-id', {})).status).toBe(422);
  expect(await page()).toContain(first.body.software_depot_id);
  const second = await api('POST', '/software-depot-id', { confirm: true });
  expect(second.body.replaced).toBe(first.body.software_depot_id);
});

test('the status and the page name every condition that is missing, with the place where it is seen to', async () => {
  const { body } = await api('GET', '/status');
  expect(body.endpoint).toBeNull();
  expect(body.missing.map(({ code }: { code: string }) => code)).toEqual([
    'enabled',
    'applied',
    'certificate',
    'http_user',
  ]);
  const text = await page();
  for (const { page: place } of body.missing) expect(text).toContain(`href="${place}"`);
  expect(text).not.toContain(' style=');
  const viewer = await house.actor('viewer');
  const seen = (await house.send('GET', PAGE, { session: viewer })).text;
  expect(seen).not.toContain('Add depot user');
  expect((await house.send('GET', `${PAGE}/users/new`, { session: viewer })).status).toBe(403);
});

test('without a root certificate a plan is refused with the way out', async () => {
  await api('PATCH', '/settings', { enabled: true, listen_interfaces: ['ens192'], hostname: 'depot.lab.example' });
  const { body: plan } = await house.send('POST', '/api/v1/apply/plans', { token: admin.token, body: {} });
  const depot = plan.units.find(({ id }: { id: string }) => id === 'private-cloud-services');
  expect(depot.check).toMatchObject({ ok: false, faults: [expect.stringContaining('no root certificate')] });
});
