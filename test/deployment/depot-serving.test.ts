// The offline depot by itself: nothing of outside and nothing protected in any spelling, logins that count at once, a
// certificate that is renewed under way, and slow readers who cost nobody anything.

import { createHook } from 'node:async_hooks';
import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execProgram } from '../../shared/ground/machine/exec.ts';
import { prepareRoot } from '../../shared/platform/certificate-authority/authority.ts';
import type { DepotDesired } from '../../shared/services/offline-depot/desired.ts';
import { drift } from '../../shared/services/offline-depot/drift.ts';
import { CERTIFICATE_PURPOSE } from '../../shared/services/offline-depot/manifest.ts';
import { checkDepot } from '../../shared/services/offline-depot/serving/check.ts';
import { privateCloudServicesSettings } from '../../shared/services/offline-depot/settings.ts';
import { DEPOT_PASSWORD, put, type ReadyDepot, readyDepot } from '../setup/depot.ts';
import { House } from '../setup/house.ts';
import { until } from '../setup/until.ts';
import { ask, basic } from './depot-client.ts';
import { FORBIDDEN, HIDDEN } from './depot-paths.ts';

let house: House;
let ready: ReadyDepot;
/** Another appliance, whose root is not ours. */
let stranger: House;
const logged: string[] = [];

const PROTECTED = '/PROD/metadata/manifest/v1/vcfManifest.json';
const MARK = 'must-never-be-told';
const USERS = '/api/v1/private-cloud-services/http-users';

beforeAll(async () => {
  house = await House.open({ depot: true, log: (line) => logged.push(line) });
  ready = await readyDepot(house);
  stranger = await House.open();
  const { token } = await stranger.actor('admin');
  await stranger.send('PATCH', '/api/v1/certificate-authority/settings', { token, body: { enabled: true } });
  const { store } = ready;
  put(store, PROTECTED, `{"mark": "${MARK}"}\n`);
  put(store, '/PROD/vsan/hcl/all.json', '{"all": []}\n');
  put(store, '/umds-patch-store/index.xml', '<a/>\n');
  put(dirname(store), 'secret.json', MARK);
  for (const path of HIDDEN.filter((each) => !/link|fifo|%|PART|\.\//.test(each))) put(store, path, MARK);
  symlinkSync('/etc/passwd', join(store, 'PROD/link-to-passwd'));
  symlinkSync('../../secret.json', join(store, 'PROD/link-to-secret.json'));
  symlinkSync('/etc', join(store, 'PROD/linked-folder'));
  symlinkSync('metadata/manifest/v1/vcfManifest.json', join(store, 'PROD/linked-inside.json'));
  symlinkSync(`../../metadata/manifest/v1/vcfManifest.json`, join(store, 'PROD/vsan/hcl/link-to-protected.json'));
  linkSync(join(dirname(store), 'secret.json'), join(store, 'umds-patch-store/hard.json'));
  linkSync(join(dirname(store), 'secret.json'), join(store, 'PROD/hard.json'));
  spawnSync('mkfifo', [join(store, 'PROD/fifo')]);
}, 300_000);

afterAll(async () => {
  await stranger?.close();
  await house?.close();
});

const place = (from = '127.0.0.1') => ({ port: ready.endpoint.port, ca_pem: ready.endpoint.ca_pem, from });
const login = (password = DEPOT_PASSWORD) => basic(`depot:${password}`);

describe('nothing but the depot', () => {
  test('no spelling leads out of the store, or past the login', async () => {
    const paths = [...new Set(FORBIDDEN('secret.json', PROTECTED))];
    expect(paths.length).toBeGreaterThan(200);
    const escaped: string[] = [];
    for (const path of paths) {
      const { status, body } = await ask(place('127.0.0.2'), 'GET', path);
      const told = body.includes(MARK) || body.includes('root:');
      if (told || ![400, 401, 403, 404, 421].includes(status)) escaped.push(`${status} ${path}`);
    }
    expect(escaped).toEqual([]);
  }, 300_000);

  test('a file with a second name is served to nobody, which the log says once', async () => {
    const links = ['/umds-patch-store/hard.json', '/PROD/hard.json', '/PROD/linked-inside.json'];
    const asked = [...links, ...links].map(async (path) => (await ask(place(), 'GET', path, login())).status);
    expect(await Promise.all(asked)).toEqual(links.flatMap(() => [404, 404]));
    const told = logged.filter((line) => line.includes('depot file not served'));
    for (const path of links) {
      expect(told.filter((line) => line.includes(`"path":"${path.slice(1)}"`))).toHaveLength(1);
    }
  });

  test('with a login neither: links, hidden files, unfinished ones, devices', async () => {
    const escaped: string[] = [];
    for (const path of [...HIDDEN, ...FORBIDDEN('secret.json', '/etc/passwd')]) {
      const { status, body } = await ask(place(), 'GET', path, login());
      const told = body.includes('root:') || (body.includes(MARK) && path !== PROTECTED);
      if (told || ![400, 403, 404, 421].includes(status)) escaped.push(`${status} ${path}`);
    }
    expect(escaped).toEqual([]);
  }, 300_000);
});

/** How many passwords are hashed meanwhile. */
async function hashesOf(work: () => Promise<void>): Promise<number> {
  let hashes = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'SCRYPTREQUEST') hashes++;
    },
  }).enable();
  await work().finally(() => hook.disable());
  return hashes;
}

describe('logins', () => {
  test('the second request does not pay for the hash', async () => {
    await ask(place(), 'GET', PROTECTED, login());
    const hashes = await hashesOf(async () => {
      for (let at = 0; at < 10; at += 1) expect((await ask(place(), 'GET', PROTECTED, login())).status).toBe(200);
    });
    expect(hashes).toBe(0);
  });

  test('a new password counts from the next request on, and the old one no longer', async () => {
    const { token } = ready;
    const { body } = await house.send('GET', USERS, { token });
    const [{ id }] = body.items;
    const set = (password: string) => house.send('PATCH', `${USERS}/${id}`, { token, body: { password } });
    expect((await set('another depot password')).status).toBe(200);
    expect((await ask(place(), 'GET', PROTECTED, login())).status).toBe(401);
    expect((await ask(place(), 'GET', PROTECTED, login('another depot password'))).status).toBe(200);
    expect((await set(DEPOT_PASSWORD)).status).toBe(200);
    expect((await ask(place(), 'GET', PROTECTED, login())).status).toBe(200);
  });

  test('another depot user is not let in, and its account opens no page and no API', async () => {
    const { token } = ready;
    const password = 'a password of somebody else';
    expect((await house.send('POST', USERS, { token, body: { name: 'other', password } })).status).toBe(201);
    expect((await ask(place(), 'GET', PROTECTED, basic(`other:${password}`))).status).toBe(401);
    const form = { name: 'depot', password: DEPOT_PASSWORD, username: 'depot' };
    const heard = await house.send('POST', '/ui/sign-in', { form });
    expect([heard.status >= 400, heard.cookies.join()]).toEqual([true, expect.not.stringContaining('session=s')]);
  });

  test('who guesses has to wait, and nobody else with him', async () => {
    const guess = (at: number) => ask(place('127.0.0.9'), 'GET', PROTECTED, login(`guess ${at}`));
    const statuses: number[] = [];
    for (let at = 0; at < 12; at += 1) statuses.push((await guess(at)).status);
    expect(statuses.slice(0, 9)).toEqual(Array(9).fill(401));
    const { status, headers } = await guess(99);
    expect([status, Number(headers.get('retry-after')) >= 1]).toEqual([429, true]);
    expect((await ask(place('127.0.0.8'), 'GET', PROTECTED, login())).status).toBe(200);
    // Who knows it is not kept out by somebody behind the same address.
    expect((await ask(place('127.0.0.9'), 'GET', PROTECTED, login())).status).toBe(200);
  }, 120_000);

  test('many first requests at once cost one hash', async () => {
    const { body } = await house.send('GET', USERS, { token: ready.token });
    const depot = body.items.find(({ name }: { name: string }) => name === 'depot');
    const password = 'yet another depot password';
    await house.send('PATCH', `${USERS}/${depot.id}`, { token: ready.token, body: { password } });
    const hashes = await hashesOf(async () => {
      const all = await Promise.all(Array.from({ length: 30 }, () => ask(place(), 'GET', PROTECTED, login(password))));
      expect(all.map(({ status }) => status)).toEqual(Array(30).fill(200));
    });
    expect(hashes).toBe(1);
    await house.send('PATCH', `${USERS}/${depot.id}`, { token: ready.token, body: { password: DEPOT_PASSWORD } });
  });
});

describe('what is told', () => {
  test('a request leaves one line with range, bytes and client, and without its login', async () => {
    logged.length = 0;
    const headers = { ...login(), range: 'bytes=2-5', 'user-agent': 'Apache-HttpClient/4.5 (Java/17)' };
    await ask(place(), 'GET', `${PROTECTED}?token=in-the-query`, headers);
    const told = () => logged.filter((line) => line.includes('depot request'));
    await until(() => told().length > 0);
    const lines = told();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!).extra).toMatchObject({
      method: 'GET',
      path: PROTECTED,
      status: 206,
      range: 'bytes=2-5',
      bytes: 4,
      user_agent: 'Apache-HttpClient/4.5 (Java/17)',
      source_address: '127.0.0.1',
    });
    expect(lines[0]).not.toMatch(/depot password|ZGVwb3Q|in-the-query/);
  });

  test('the check of the depot says what an appliance would find', async () => {
    const { endpoint } = ready;
    const check = (change: object, password = DEPOT_PASSWORD) => checkDepot({ ...endpoint, ...change }, password);
    expect(await check({})).toMatchObject({ ok: true, said: expect.stringContaining('lets depot in'), way_out: '' });
    expect(await check({}, 'wrong password here')).toMatchObject({
      ok: false,
      said: expect.stringContaining('password'),
      way_out: expect.stringContaining('password'),
      login_refused: true,
    });
    expect(await check({ hostname: 'other.lab.example' })).toMatchObject({
      ok: false,
      said: expect.stringContaining('does not name it'),
    });
    expect(await check({ port: 1 })).toMatchObject({
      ok: false,
      said: expect.stringContaining('nothing listens'),
      way_out: expect.not.stringContaining('password'),
      login_refused: false,
    });
  });
});

describe('certificate', () => {
  test('it names the host and its addresses, and a new one is shown without a restart', async () => {
    const before = await ask(place(), 'HEAD', PROTECTED, login());
    const row = () =>
      house.services.store.one<{ sha256: string; names: string }>(
        'SELECT sha256, names FROM issued_certificate WHERE purpose = ? AND replaced_at IS NULL',
        [CERTIFICATE_PURPOSE],
      );
    const issued = (await row())!;
    expect(before.shown).toBe(issued.sha256);
    expect(JSON.parse(issued.names)).toEqual(expect.arrayContaining(['depot.lab.example', '10.10.0.5', '127.0.0.1']));
    await house.services.store.write((tx) =>
      tx.run('UPDATE issued_certificate SET not_after = ? WHERE purpose = ?', [
        '2020-01-01T00:00:00.000Z',
        CERTIFICATE_PURPOSE,
      ]),
    );
    const port = ready.endpoint.port;
    house.appliance.renewDepot();
    await house.appliance.followDepot();
    const after = await ask(place(), 'HEAD', PROTECTED, login());
    expect([after.status, after.shown === before.shown, after.shown]).toEqual([200, false, (await row())!.sha256]);
    expect(house.appliance.depot.map((each) => each.port)).toEqual([port]);
  });

  test('TLS 1.1 and plain HTTP are no way in', async () => {
    const { port, ca_pem: ca } = ready.endpoint;
    const spoken = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
      new Promise((resolve) => {
        const versions = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' } as const;
        const socket = connect({ host: '127.0.0.1', port, servername: 'depot.lab.example', ca, ...versions });
        socket.on('secureConnect', () => {
          resolve(socket.getProtocol());
          socket.destroy();
        });
        socket.on('error', () => resolve('refused'));
      });
    expect(await Promise.all([spoken('TLSv1.1'), spoken('TLSv1.2'), spoken('TLSv1.3')])).toEqual([
      'refused',
      'TLSv1.2',
      'TLSv1.3',
    ]);
    await expect(fetch(`http://127.0.0.1:${port}${PROTECTED}`)).rejects.toThrow();
  });
});

describe('the probe of an apply', () => {
  const asked = async (change: { port?: number; authority?: string; hostname?: string } = {}) => {
    const { endpoint } = ready;
    const desired: DepotDesired = {
      settings: {
        ...privateCloudServicesSettings.defaults,
        enabled: true,
        hostname: change.hostname ?? endpoint.hostname,
      },
      listen: [{ name: 'lo', usable: true, addresses: ['127.0.0.1'] }],
      certificate: null,
      taken: {},
      clashes: [],
      authority: { pem: change.authority ?? endpoint.ca_pem, sha256: endpoint.ca_sha256 },
      user_known: true,
    };
    desired.settings.port = change.port ?? endpoint.port;
    const host = { ...house.services.host, enforces: true, exec: execProgram };
    return drift(host, desired);
  };

  test('asks over TLS for the state in force, and names what is not as applied', async () => {
    expect(await asked()).toEqual([]);
    expect(await asked({ port: 1 })).toEqual([expect.stringContaining('does not answer at https://127.0.0.1:1')]);
    expect(await asked({ hostname: 'other.lab.example' })).toEqual([expect.stringContaining('altnames')]);
    const { made } = await prepareRoot(stranger.services.store, stranger.services);
    expect(await asked({ authority: made.pem })).toEqual([expect.stringMatching(/certificate|issuer/)]);
  }, 120_000);
});

test('what is applied says who is let in, from the next request on', async () => {
  writeFileSync(join(ready.store, 'PROD/open.json'), '{}');
  const { token } = ready;
  mkdirSync(join(ready.store, 'PROD'), { recursive: true });
  expect((await ask(place(), 'GET', '/PROD/open.json')).status).toBe(401);
  await house.send('PATCH', '/api/v1/private-cloud-services/settings', {
    token,
    body: { allow_unauthenticated_access: true },
  });
  // Saved, but not in force.
  expect((await ask(place(), 'GET', '/PROD/open.json')).status).toBe(401);
  const status = () => house.send('GET', '/api/v1/private-cloud-services/status', { token });
  expect((await status()).body.missing.map(({ code }: { code: string }) => code)).toEqual(['applied']);
  const { body: plan } = await house.send('POST', '/api/v1/apply/plans', { token, body: {} });
  await house.send('POST', `/api/v1/apply/plans/${plan.id}/submit`, {
    token,
    body: { digest: plan.digest, note: 'x' },
  });
  await house.appliance.runner.idle();
  await house.appliance.followDepot();
  expect((await ask(place(), 'GET', '/PROD/open.json')).status).toBe(200);
  expect((await status()).body.missing).toEqual([]);
});
