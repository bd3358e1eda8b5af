// The fake appliance's own promises: what its depot does on each release, that it records what it saw without values, and
// that it runs by itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { pinnedClient } from '../../shared/vcf/connection/pinned-client.ts';
import type { ApplianceSession } from '../../shared/vcf/vcf-api/session.ts';
import { within } from '../shared/vcf/vcf-api/appliance-scene.ts';
import { makeCertificate } from './tls-target.ts';
import type { DepotOptions } from './vcf-appliance/depot.ts';
import type { VcfApplianceOptions } from './vcf-appliance.ts';

const DEPOT = '/v1/system/settings/depot';
const ACCOUNT = { username: 'depot', password: 'Depot-Password-1!' };
const HOST = { isOfflineDepot: true, hostname: 'depot.lab.test', port: 443 };
const URL_FORM = { isOfflineDepot: true, url: 'https://depot.lab.test' };
const { cert, sha256 } = makeCertificate({ subject: '/CN=Depot root' });
const CHAIN = { ...URL_FORM, trustedCertificates: [cert] };

type Reply = { status: number; body: Record<string, unknown> & { depotSyncInfo?: unknown } };

async function ask(
  session: ApplianceSession,
  method: 'GET' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Reply> {
  const question = { method, path, limit: 1 << 20, what: 'it', ...(body === undefined ? {} : { json: body }) };
  const answer = await session.ask(question);
  const text = answer.body.toString('utf8');
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Reply['body']) };
}

const RELEASES = { '9.0': '9.0.2.0.24', '9.1': '9.1.0.0.25', '9.1.1': '9.1.1.0.26' };
const put = (depotConfiguration: object, offlineAccount: object | null = ACCOUNT) => ({
  offlineAccount,
  depotConfiguration,
});

describe('depot settings by release', () => {
  const CASES: [release: keyof typeof RELEASES, body: object, status: number][] = [
    ['9.0', put(HOST), 202],
    ['9.0', put(URL_FORM), 400],
    ['9.0', put({ isOfflineDepot: true, hostname: 'depot.lab.test' }), 400],
    ['9.1', put(HOST), 202],
    ['9.1', put(URL_FORM), 202],
    ['9.1', put({ isOfflineDepot: true, url: 'https://depot.lab.test/PROD' }), 400],
    ['9.1', put({ isOfflineDepot: true, url: 'http://depot.lab.test:8080' }, null), 202],
    ['9.1', put(CHAIN), 400],
    ['9.1.1', put(CHAIN), 202],
    ['9.1.1', put({ ...URL_FORM, trustedCertificates: ['nonsense'] }), 400],
    ['9.1.1', {}, 400],
  ];
  test.each(CASES)('%s answers to %j with %i', (release, body, status) =>
    within({ role: 'VcfInstaller', version: RELEASES[release] }, async (scene) => {
      const { session } = await scene.ready();
      expect((await ask(session, 'PUT', DEPOT, body)).status).toBe(status);
      const shown = await ask(session, 'GET', DEPOT);
      expect(JSON.stringify(shown.body)).not.toContain(ACCOUNT.password);
      expect('depotSyncInfo' in shown.body).toBe(release !== '9.0');
      expect((await ask(session, 'GET', `${DEPOT}/machine-details`)).status).toBe(release === '9.0' ? 404 : 200);
      expect((await ask(session, 'DELETE', DEPOT)).status).toBe(204);
      expect((await ask(session, 'GET', DEPOT)).body.depotConfiguration).toBeNull();
    }),
  );

  const statusOf = (depot: DepotOptions, body: object, trust = false) =>
    within({ role: 'SddcManager', version: RELEASES['9.1.1'], depot }, async (scene) => {
      const { session } = await scene.ready();
      if (trust) scene.fake.trusted.push({ alias: `vcf_${sha256}`, certificate: cert });
      const { status, body: said } = await ask(session, 'PUT', DEPOT, body);
      return status === 202 ? (said.offlineAccount as { status: string }).status : `${status} ${said.errorCode}`;
    });
  const TESTS: [name: string, depot: DepotOptions, body: object, found: string][] = [
    ['the right account', { account: ACCOUNT }, put(HOST), 'DEPOT_CONNECTION_SUCCESSFUL'],
    ['a wrong one', { account: ACCOUNT }, put(HOST, { ...ACCOUNT, password: 'x' }), 'DEPOT_INVALID_CREDENTIAL'],
    [
      'credentials at the wrong place',
      { account: ACCOUNT },
      put({ ...HOST, ...ACCOUNT }, null),
      'DEPOT_INVALID_CREDENTIAL',
    ],
    ['an unknown host', { test: 'DEPOT_UNKNOWN_HOST' }, put(HOST), 'DEPOT_UNKNOWN_HOST'],
    ['a root that is not trusted', { root_sha256: sha256 }, put(HOST), '400 VMWARE_DEPOT_CONNECT_FAILURE'],
    ['the same, told as a credential', { test: 'untrusted-as-credential' }, put(HOST), 'DEPOT_INVALID_CREDENTIAL'],
    ['a root that came with the settings', { root_sha256: sha256 }, put(CHAIN), 'DEPOT_CONNECTION_SUCCESSFUL'],
  ];
  test.each(TESTS)('the connection test finds %s', async (_name, depot, body, found) => {
    expect(await statusOf(depot, body)).toBe(found);
  });
  test('the connection test finds a root that was trusted before', async () => {
    expect(await statusOf({ root_sha256: sha256 }, put(HOST), true)).toBe('DEPOT_CONNECTION_SUCCESSFUL');
  });

  test('a slow connection test is slow', () =>
    within({ role: 'SddcManager', version: RELEASES['9.1'], depot: { test_ms: 300 } }, async (scene) => {
      const { session } = await scene.ready();
      const started = performance.now();
      await ask(session, 'PUT', DEPOT, put(HOST));
      expect(performance.now() - started).toBeGreaterThan(290);
    }));
});

describe('synchronisation', () => {
  const EARLIER = '2026-11-01T00:00:00.000Z';
  const states = (sync: DepotOptions['sync'], gets: number) =>
    within({ role: 'VcfInstaller', version: RELEASES['9.1'], depot: { sync } as DepotOptions }, async (scene) => {
      const { session } = await scene.ready();
      expect((await ask(session, 'PATCH', `${DEPOT}/depot-sync-info`)).status).toBe(400);
      await ask(session, 'PUT', DEPOT, put(URL_FORM));
      expect((await ask(session, 'PATCH', `${DEPOT}/depot-sync-info`)).status).toBe(202);
      const seen: string[] = [];
      for (let n = 0; n < gets; n += 1) {
        const { status, body } = await ask(session, 'GET', `${DEPOT}/depot-sync-info`);
        const at = body.lastSyncCompletionTimestamp;
        seen.push(
          status === 200
            ? `${body.syncStatus} ${at === undefined ? '-' : at === EARLIER ? 'old' : 'new'}`
            : `${status}`,
        );
      }
      return seen;
    });

  test.each([
    ['goes through its states', {}, ['SYNCING -', 'SYNCED new', 'SYNCED new']],
    [
      'shows an old success for a while',
      { earlier: EARLIER, stale: 2 },
      ['SYNCED old', 'SYNCED old', 'SYNCING old', 'SYNCED new'],
    ],
    [
      'has no states between',
      { earlier: EARLIER, stale: 1, states: ['SYNCED'] },
      ['SYNCED old', 'SYNCED new', 'SYNCED new'],
    ],
    ['is away while services restart', { gaps: 2 }, ['502', '502', 'SYNCING -', 'SYNCED new']],
    ['fails', { states: ['UNSYNCED', 'SYNC_FAILED'] }, ['UNSYNCED -', 'SYNC_FAILED -', 'SYNC_FAILED -']],
  ] as [string, NonNullable<DepotOptions['sync']>, string[]][])('%s', async (_name, sync, seen) => {
    expect(await states(sync, seen.length)).toEqual(seen);
  });
});

test('a request is recorded by its members, its token and its connection, without a value', () =>
  within({ role: 'SddcManager', version: RELEASES['9.1'] }, async (scene) => {
    const { fake } = scene;
    const { session } = await scene.ready();
    await ask(session, 'PUT', `${DEPOT}?x=1`, put(HOST));
    await fake.changeCertificate(true);
    await expect(ask(session, 'GET', DEPOT)).rejects.toMatchObject({ code: 'certificate_changed' });
    expect(fake.requests.map(({ token, password, members }) => ({ token, password, members }))).toEqual([
      { token: 'none', password: false, members: [] },
      { token: 'none', password: true, members: ['username', 'password'] },
      {
        token: 'issued-here',
        password: false,
        members: [
          ...['offlineAccount.username', 'offlineAccount.password'],
          ...['depotConfiguration.isOfflineDepot', 'depotConfiguration.hostname', 'depotConfiguration.port'],
        ],
      },
    ]);
    // The other connection broke off in its handshake or right after it: nothing came over it.
    expect(fake.requests.map(({ connection }) => connection)).toEqual([1, 1, 1]);
    expect(fake.secrets().length).toBeGreaterThan(20);
    for (const secret of fake.secrets()) expect(JSON.stringify(fake.requests)).not.toContain(secret);
  }));

test('by itself, it listens, answers, prints what was asked for but no credential, and ends', async () => {
  const password = 'Printed-nowhere-1!';
  const program = join(import.meta.dirname, 'vcf-appliance.ts');
  const child = spawn(process.execPath, [program, '--port', '0', '--role', 'VcfInstaller', '--version', '9.1.1.0.26'], {
    env: { ...process.env, FAKE_PASSWORD: password },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  try {
    while (!/SHA-256 \S+\n/.test(text)) await once(child.stdout, 'data');
    const [, port, fingerprint] = /:(\d+), SHA-256 (\S+)/.exec(text)!;
    const client = pinnedClient({ host: '127.0.0.1', address: '127.0.0.1', port: Number(port), sha256: fingerprint! });
    const body = JSON.stringify({ username: 'admin@local', password });
    const headers = { 'content-type': 'application/json' };
    const { status, body: answer } = await client.request({ method: 'POST', path: '/v1/tokens', headers, body });
    const { accessToken } = JSON.parse(answer.toString()) as { accessToken: string };
    client.close();
    expect(status).toBe(201);
    while (!text.includes('POST')) await once(child.stdout, 'data');
    expect(text).toMatch(/^POST \/v1\/tokens 201 token:none$/m);
    expect(text).not.toContain(password);
    expect(text).not.toContain(accessToken);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  }
});

test('phases of a boot go on by themselves when they have a time', () => {
  const boot: VcfApplianceOptions['boot'] = [
    { phase: 'refused', for_ms: 60_000 },
    { phase: '502', for_ms: 60_000 },
  ];
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'Date'] });
  return within({ role: 'SddcManager', version: RELEASES['9.1'], boot }, async (scene) => {
    const heard = () =>
      scene.client.request({ method: 'GET', path: '/v1/system/appliance-info', limit: 1 << 16 }).then(
        ({ status }) => `${status}`,
        ({ code }: { code: string }) => code,
      );
    const seen = [await heard()];
    for (let now = seen[0]!; seen.length < 3; seen.push(now)) {
      jest.advanceTimersByTime(60_000);
      while (now === seen.at(-1)) now = await heard();
    }
    expect(seen).toEqual(['remote_unreachable', '502', '200']);
  }).finally(() => jest.useRealTimers());
});
