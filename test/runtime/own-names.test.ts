// Which Host headers the management and the public listener answer to: every address, and the names that are the
// appliance's own for a reason. A foreign page whose name was made to lead here (DNS rebinding) gets nothing.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hostNamed, OwnNames } from '../../runtime/own-names.ts';
import { problemFaults } from '../setup/document-check.ts';
import { House } from '../setup/house.ts';
import { selfSigned } from '../setup/self-signed.ts';

const CERT = readFileSync(join(import.meta.dirname, '../fixtures/tls/cert.pem'), 'utf8');

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(() => house.close());

function ask(host: string, path = '/ui/management/sign-in', port = house.appliance.management.port) {
  return new Promise<{ statusCode: number; headers: Record<string, string>; body: string }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers: { host }, agent: false }, async (answer) =>
      resolve({
        statusCode: answer.statusCode!,
        headers: answer.headers as Record<string, string>,
        body: await text(answer),
      }),
    );
    sent.on('error', reject).end();
  });
}

describe('a foreign name', () => {
  test.each(['/', '/ui/management/sign-in', '/openapi.json', '/assets/app.js', '/healthz', '/nothing'])(
    'is told so at %s, with what to do',
    async (path) => {
      const answer = await ask('rebind.evil.example:8080', path);
      expect([answer.statusCode, problemFaults(answer)]).toEqual([421, []]);
      expect(JSON.parse(answer.body)).toMatchObject({
        type: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/problems\/misdirected$/),
        error_code: 'host_unknown',
        detail: expect.stringMatching(/rebind\.evil\.example is no name of this appliance\. .*GROUNDCREW_BASE_URL/),
      });
    },
  );

  test('is refused on the public listener too', async () => {
    const { port } = house.appliance.public!;
    expect((await ask('rebind.evil.example', '/', port)).statusCode).toBe(421);
    expect((await ask('127.0.0.1', '/', port)).statusCode).toBe(303);
  });

  test.each([
    'gc01.lab.example.evil.example',
    'evil.example.',
    'localhost.evil.example',
    'a b',
    '127.0.0.1.evil.example',
    'gc01.lab.example@evil.example',
    '<script>',
  ])('may look like anything: %j', async (host) => {
    expect((await ask(host)).statusCode).toBe(421);
  });
});

test.each([
  '127.0.0.1',
  '192.0.2.7:8443',
  '[::1]:8080',
  '[2001:db8::5]',
  'localhost',
  'gc.localhost:1',
  'gc01.lab.example',
  'GC01.lab.example.:8080',
  'gc01',
])('answered at %s', async (host) => {
  expect((await ask(host)).statusCode).toBe(200);
});

test('a record of its own name service is a name once it has one of its addresses, an alias of it as well', async () => {
  const admin = await house.actor('admin');
  const add = async (path: string, body: object) =>
    expect((await house.send('POST', `/api/v1/dns/${path}`, { token: admin.token, body })).status).toBe(201);
  await add('zones', { name: 'lab.test' });
  await add('records', { fqdn: 'gc.lab.test', type: 'A', value: '10.10.0.5' });
  await add('records', { fqdn: 'six.lab.test', type: 'AAAA', value: 'fd00:10::5' });
  await add('records', { fqdn: 'alias.lab.test', type: 'CNAME', value: 'gc.lab.test' });
  await add('records', { fqdn: 'vc01.lab.test', type: 'A', value: '10.10.0.77' });
  const names = ['gc.lab.test', 'six.lab.test:8080', 'alias.lab.test', 'vc01.lab.test', 'none.lab.test'];
  const statuses = await Promise.all(names.map(async (name) => (await ask(name)).statusCode));
  expect(statuses).toEqual([200, 200, 200, 421, 421]);
});

test('the host name of a service is one', async () => {
  const admin = await house.actor('admin');
  const send = { token: admin.token, body: { hostname: 'id.lab.test' } };
  expect((await ask('id.lab.test')).statusCode).toBe(421);
  expect((await house.send('PATCH', '/api/v1/oidc/settings', send)).status).toBe(200);
  expect((await ask('id.lab.test')).statusCode).toBe(200);
});

test('the host name of a service that may share the port over TLS is none, in force or not', async () => {
  const { settings, store } = house.services;
  const shared = { ...settings, management_tls: true, management_port: 443 };
  const admin = await house.actor('admin');
  const names = (own: object) => new OwnNames({ services: { settings: own as never, store }, certificate: () => null });
  const send = { token: admin.token, body: { hostname: 'depot.lab.test' } };
  expect((await house.send('PATCH', '/api/v1/private-cloud-services/settings', send)).status).toBe(200);
  expect(await names(shared).has('depot.lab.test', '127.0.0.1')).toBe(false);
  expect(await names({ ...shared, management_port: 8443 }).has('depot.lab.test', '127.0.0.1')).toBe(true);
  expect(await names(settings).has('depot.lab.test', '127.0.0.1')).toBe(true);
});

test('a wildcard in the certificate gives no name, but one that is saved for the management UI is its own', async () => {
  const { settings, store } = house.services;
  const pem = selfSigned('gc.wild.example', [
    '-addext',
    'subjectAltName=DNS:gc.wild.example,DNS:*.wild.example',
  ]).certificate;
  const names = new OwnNames({ services: { settings, store }, certificate: () => pem, read: async () => '' });
  const has = (host: string) => Promise.resolve(names.has(host, '127.0.0.1'));
  expect([await has('gc.wild.example'), await has('rebind.wild.example')]).toEqual([true, false]);
  const admin = await house.actor('admin');
  const body = { names: ['ui.wild.example'] };
  expect((await house.send('PATCH', '/api/v1/management-tls/settings', { token: admin.token, body })).status).toBe(200);
  expect([await has('ui.wild.example'), await has('rebind.wild.example')]).toEqual([true, false]);
});

test('the configured origin, the certificate and the files of the machine give names', async () => {
  const files: Record<string, string> = {
    '/etc/hosts': '127.0.1.1 gc01.corp.example gc01 appliance # own\n192.0.2.9 other.corp.example',
    '/etc/resolv.conf': 'nameserver 192.0.2.53\nsearch lab.example corp2.example.\n',
  };
  const settings = { ...house.services.settings, hostname: 'gc01', base_url: 'https://ground.example:8443' };
  const services = { store: house.services.store, settings };
  const names = new OwnNames({ services, certificate: () => CERT, read: async (path) => files[path] ?? '' });
  const has = (host: string) => Promise.resolve(names.has(host, '127.0.0.1'));
  const all = ['ground.example', 'gc01.corp.example', 'appliance', 'gc01.lab.example', 'gc01.corp2.example'];
  expect(await Promise.all(all.map(has))).toEqual(all.map(() => true));
  const foreign = ['other.corp.example', 'x.ground.example', 'lab.example', 'gc01.evil.example'];
  expect(await Promise.all(foreign.map(has))).toEqual(foreign.map(() => false));
});

test.each([
  ['Gc01.Lab.Example.:443', 'gc01.lab.example'],
  ['[FD00::1]:1', 'fd00::1'],
  ['192.0.2.1', '192.0.2.1'],
  ['a:b', ''],
  ['user@host', ''],
  ['[fd00::1', ''],
  ['host:999999', ''],
])('the host of %s is %j', (header, host) => {
  expect(hostNamed(header)).toBe(host);
});
