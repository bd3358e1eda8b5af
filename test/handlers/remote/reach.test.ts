// Where the appliance connects to, as its settings, interfaces and links say at that moment; and the way from a name to a
// client that is pinned to what was confirmed.
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { decode, encode } from 'dns-packet';
import { operation as updateRemoteSettings } from '../../../handlers/remote/update-settings.ts';
import type { Actor } from '../../../shared/kernel/access/actor.ts';
import { NOBODY } from '../../../shared/kernel/access/actor.ts';
import { scopesOfRole } from '../../../shared/kernel/access/scopes.ts';
import type { AuditEvent } from '../../../shared/kernel/audit/audit.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { loadTargetPolicy } from '../../../shared/vcf/connection/policy-store.ts';
import { clientFor, observeTarget, trustedTarget } from '../../../shared/vcf/connection/reach.ts';
import type { Lookup } from '../../../shared/vcf/connection/target-policy.ts';
import { grantTrust } from '../../../shared/vcf/connection/trust.ts';
import { startTlsTarget, type TlsTarget } from '../../fakes/tls-target.ts';
import { type Credentials, House } from '../../setup/house.ts';

const SETTINGS = '/api/v1/remote/settings';
const HOST = 'vc01.lab.example';
const there: Lookup = async () => [{ address: '127.0.0.1' }];

let house: House;
let admin: Credentials;
let actor: Actor;
beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
  actor = { ...NOBODY, kind: 'session', user_id: admin.user.id, name: admin.user.name, credential_id: 'session-hash' };
});
afterAll(() => house.close());

const fakes: TlsTarget[] = [];
const closing: (() => void)[] = [];
afterEach(async () => {
  for (const fake of fakes.splice(0)) await fake.stop();
  for (const close of closing.splice(0)) close();
});

async function fakeTarget(options: Parameters<typeof startTlsTarget>[0] = {}): Promise<TlsTarget> {
  const fake = await startTlsTarget(options);
  fakes.push(fake);
  return fake;
}

/**
 * A name server on loopback, asked over UDP by node's own resolver. The nth question for the IPv4 addresses of a name gets
 * the nth of `addresses`, which nobody may keep; names have no others.
 */
async function nameServer(...addresses: string[]): Promise<{ lookup: Lookup; asked: string[] }> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, { address, port }) => {
    const { id, questions = [] } = decode(message);
    const { type, name } = questions[0]!;
    const data = addresses[asked.filter((each) => each === `${type} ${name}`).length] ?? addresses.at(-1)!;
    asked.push(`${type} ${name}`);
    const answers = type === 'A' ? [{ type, name, ttl: 0, data }] : [];
    socket.send(encode({ type: 'response', id: id!, questions, answers }), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  // Once, and with all the time that a lookup has: a question that comes again was asked again by who is tested.
  const resolver = new Resolver({ timeout: 30_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  closing.push(() => {
    resolver.cancel();
    socket.close();
  });
  const none = (error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENODATA') return [];
    throw error;
  };
  const lookup: Lookup = async (host) => {
    const found = await Promise.all([resolver.resolve4(host).catch(none), resolver.resolve6(host).catch(none)]);
    return found.flat().map((address) => ({ address }));
  };
  return { lookup, asked };
}

async function allow(...allowed_networks: string[]): Promise<void> {
  const answer = await house.send('PATCH', SETTINGS, { token: admin.token, body: { allowed_networks } });
  expect(answer.status).toBe(200);
}

describe('the settings', () => {
  test('are read, changed and audited, and hold a revision', async () => {
    const token = admin.token;
    const read = await house.send('GET', SETTINGS, { token });
    expect([read.status, read.headers.etag, read.body]).toEqual([
      200,
      '"r0"',
      { allowed_networks: [], revision: 0, updated_at: null },
    ]);
    const before = await house.lastAudit();
    const body = { allowed_networks: ['192.0.2.0/24', ' 2001:DB8::1 '] };
    const saved = await house.send('PATCH', SETTINGS, { token, body, headers: { 'if-match': '"r0"' } });
    expect([saved.status, saved.headers.etag]).toEqual([200, '"r1"']);
    expect(saved.body.allowed_networks).toEqual(['192.0.2.0/24', '2001:db8::1/128']);
    expect(await house.audited(before)).toEqual(['remote.settings.update']);
    const same = await house.send('PATCH', SETTINGS, { token, body: {} });
    expect(same.body).toEqual(saved.body);
    const stale = await house.send('PATCH', SETTINGS, { token, body, headers: { 'if-match': '"r0"' } });
    expect(stale.status).toBe(412);
    await allow();
  });

  test.each([['10.0.0.5/8'], ['0.0.0.0/0'], ['::/0'], ['::ffff:10.0.0.0/104'], ['10.1'], ['lab.example'], ['']])(
    'do not take %j as a network',
    async (network) => {
      const answer = await house.send('PATCH', SETTINGS, { token: admin.token, body: { allowed_networks: [network] } });
      expect([answer.status, answer.body.error_code]).toEqual([422, 'request_validation_failed']);
    },
  );

  test('make nothing pending, and leave an edit of an interface alone', async () => {
    const versions = () => house.services.store.all('SELECT unit, desired_version FROM unit_state ORDER BY unit');
    const before = await versions();
    await allow('127.0.0.0/8', '10.10.0.0/24');
    expect(await versions()).toEqual(before);
    const moved = await house.send('PATCH', '/api/v1/interfaces/physical/ens192', {
      token: admin.token,
      body: { ipv4_cidr: '10.10.0.6/24' },
    });
    expect(moved.status).toBe(200);
    expect((await house.send('GET', SETTINGS, { token: admin.token })).body.allowed_networks).toHaveLength(2);
    await allow();
  });

  test.each(['service-admin', 'network-admin', 'viewer'] as const)(
    'are read by a %s, and changed by administrators only',
    async (role) => {
      const { token } = await house.actor(role);
      const read = await house.send('GET', SETTINGS, { token });
      expect(read.status).toBe(200);
      const body = { allowed_networks: ['127.0.0.0/8'] };
      const refused = await house.send('PATCH', SETTINGS, { token, body });
      expect([refused.status, refused.body.error_code, refused.body.scope]).toEqual([
        403,
        'insufficient_scope',
        'write:vaults',
      ]);
      expect((await house.send('GET', SETTINGS, { token })).body).toEqual(read.body);
    },
  );

  test('are changed by a form of administrators only, whatever it asks of its session', async () => {
    const form = defineForm(
      { of: updateRemoteSettings, path: '/ui/management/somewhere', access: { session: 'write:settings' } },
      { page: '/ui/management/somewhere', decode: () => ({}), done: () => ({ location: '/' }) },
    );
    const actor = { ...NOBODY, scopes: scopesOfRole('service-admin') };
    const changing = Promise.resolve(form.spec.run({ actor } as never));
    await expect(changing).rejects.toMatchObject({ code: 'insufficient_scope', members: { scope: 'write:vaults' } });
  });
});

describe('the policy of this moment', () => {
  test('knows every address that the appliance has or is about to have', async () => {
    const { settings, host } = house.services;
    const shell = { host, settings: { ...settings, public_listen: { host: '203.0.113.7', port: 443 } } };
    const own = (await loadTargetPolicy(house.services.store, shell)).own.map(({ text }) => text);
    // Of the rows (desired and observed), of the links, and of the listener that was configured.
    expect(own).toEqual(expect.arrayContaining(['10.10.0.6/24', '10.10.0.5/24', 'fd00:10::5/64', '203.0.113.7/32']));
    expect(own.filter((text) => text.startsWith('127.') || text.startsWith('fe80'))).toEqual([]);
  });

  test('has the ports of its own listeners: an exception for loopback networks leads to none of them', async () => {
    const { settings, store, host } = house.services;
    const shell = { host, settings: { ...settings, public_listen: { host: '127.0.0.1', port: 8443 } } };
    expect((await loadTargetPolicy(store, shell)).ports).toEqual([settings.management_port, 8443]);
    await allow('127.0.0.0/8');
    const itself = observeTarget(house.services, { host: HOST, port: settings.management_port }, { lookup: there });
    await expect(itself).rejects.toMatchObject({
      code: 'target_refused',
      message: expect.stringContaining('(127.0.0.1): it is an address of this appliance'),
    });
    await allow();
  });

  test('is none when the links cannot be read', async () => {
    const broken = { ...house.services, host: { links: () => Promise.reject(new Error('ip refused')) } };
    await expect(observeTarget(broken, { host: HOST, port: 443 }, { lookup: there })).rejects.toThrow('ip refused');
  });

  test.each(['10.10.0.5', '10.10.0.6', 'fd00:10::5', '127.0.0.1', '169.254.169.254'])(
    'makes no connection to %s',
    async (address) => {
      const lookup: Lookup = async () => [{ address }];
      const at = { host: HOST, port: house.appliance.management.port };
      await expect(observeTarget(house.services, at, { lookup })).rejects.toMatchObject({ code: 'target_refused' });
    },
  );
});

describe('from a name to a client', () => {
  test('what was checked is dialled, although the name leads elsewhere the second time', async () => {
    await allow('127.0.0.0/8');
    const fake = await fakeTarget({ host: '127.0.0.2' });
    const trap = await fakeTarget({ host: '127.0.0.3', port: fake.port });
    let asked = 0;
    const lookup: Lookup = async () => [{ address: asked++ === 0 ? '127.0.0.2' : '127.0.0.3' }];
    const seen = await observeTarget(house.services, { host: HOST, port: fake.port }, { lookup });
    expect([seen.address, seen.certificate.sha256, asked]).toEqual(['127.0.0.2', fake.sha256, 1]);
    const events: AuditEvent[] = [];
    const ticket = grantTrust(house.services, actor, (event) => void events.push(event), seen, fake.sha256);
    expect(events.map(({ action }) => action)).toEqual(['remote.target.trust']);
    const trusted = await trustedTarget(house.services, actor, ticket, { host: HOST, port: fake.port });
    const client = await clientFor(house.services, trusted);
    expect((await client.request({ method: 'GET', path: '/v1/system/appliance-info' })).status).toBe(200);
    client.close();
    expect([fake.requests, trap.connections, asked]).toEqual([['GET /v1/system/appliance-info'], 0, 1]);
  });

  test('a name server that answers otherwise the second time is asked once for all of it', async () => {
    await allow('127.0.0.2/32');
    const fake = await fakeTarget({ host: '127.0.0.2' });
    const trap = await fakeTarget({ host: '127.0.0.3', port: fake.port });
    const { lookup, asked } = await nameServer('127.0.0.2', '127.0.0.3');
    const at = { host: 'rebind.lab.example', port: fake.port };
    const once_each = ['A rebind.lab.example', 'AAAA rebind.lab.example'];
    const seen = await observeTarget(house.services, at, { lookup });
    expect([seen.address, seen.certificate.sha256, asked.toSorted()]).toEqual(['127.0.0.2', fake.sha256, once_each]);
    const ticket = grantTrust(house.services, actor, () => undefined, seen, fake.sha256);
    const trusted = await trustedTarget(house.services, actor, ticket, at);
    const client = await clientFor(house.services, trusted);
    expect((await client.request({ method: 'GET', path: '/v1/system/appliance-info' })).status).toBe(200);
    client.close();
    expect([fake.requests.length, fake.server_names[0], asked.toSorted()]).toEqual([1, at.host, once_each]);
    // Whoever asks it again is led elsewhere, and that is held against the settings before anything is dialled.
    await expect(observeTarget(house.services, at, { lookup })).rejects.toMatchObject({
      code: 'target_refused',
      message: expect.stringContaining('(127.0.0.3)'),
    });
    expect([asked.length, trap.connections]).toEqual([4, 0]);
    await allow('127.0.0.0/8');
  });

  test('a certificate that changes before it is confirmed is not trusted', async () => {
    const fake = await fakeTarget({ change_at: 2 });
    const at = { host: HOST, port: fake.port };
    const shown = await observeTarget(house.services, at, { lookup: there });
    const again = await observeTarget(house.services, at, { lookup: there });
    const confirm = () => grantTrust(house.services, actor, () => undefined, again, shown.certificate.sha256);
    expect(confirm).toThrow(expect.objectContaining({ code: 'certificate_changed' }));
    expect(fake.application_bytes).toBe(0);
  });

  test('a trusted machine is held against the settings of each later step', async () => {
    const fake = await fakeTarget();
    const at = { host: HOST, port: fake.port };
    const seen = await observeTarget(house.services, at, { lookup: there });
    const ticket = grantTrust(house.services, actor, () => undefined, seen, fake.sha256);
    const trusted = await trustedTarget(house.services, actor, ticket);
    await allow();
    await expect(trustedTarget(house.services, actor, ticket)).rejects.toMatchObject({ code: 'target_refused' });
    await expect(clientFor(house.services, trusted)).rejects.toMatchObject({ code: 'target_refused' });
    const other = { ...actor, credential_id: 'another-session' };
    await expect(trustedTarget(house.services, other, ticket)).rejects.toMatchObject({ code: 'trust_missing' });
    expect(fake.application_bytes).toBe(0);
  });
});
