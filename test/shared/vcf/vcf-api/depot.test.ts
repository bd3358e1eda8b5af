// The depot settings of an appliance: what is sent to each release, how what it has is read and compared, and what tells a
// fresh end of a synchronisation from an old one.
import { describe, expect, test } from '@jest/globals';
import {
  depotText,
  desiredDepot,
  isFresh,
  putDepot,
  type RemoteDepot,
  readDepot,
  readSync,
  type SyncInfo,
  sameDepot,
  startSync,
  watched,
  watchFrom,
} from '../../../../shared/vcf/vcf-api/depot.ts';
import { parseVersion } from '../../../../shared/vcf/vcf-api/version.ts';
import { makeCertificate } from '../../../fakes/tls-target.ts';
import { everythingOf, faultFrom, within } from './appliance-scene.ts';

const CA = makeCertificate({ subject: '/O=Lab/CN=Lab root', names: '' });
const PASSWORD = 'Depot-Password-of-the-test-1!';
const HERE = { hostname: 'depot.lab.test', port: 443, url: 'https://depot.lab.test', username: 'reader' };
const ELSEWHERE = { hostname: 'depot.lab.test', port: 8443, url: 'https://depot.lab.test:8443', username: 'reader' };
const body = (version: string, place = HERE) => desiredDepot(parseVersion(version)!, place, PASSWORD, CA.cert);

describe('what is sent', () => {
  const account = { username: 'reader', password: PASSWORD };
  test.each([
    ['9.0.0.0.24703748', { isOfflineDepot: true, hostname: 'depot.lab.test', port: 443 }],
    ['9.0.2.0.25000001', { isOfflineDepot: true, hostname: 'depot.lab.test', port: 443 }],
    ['9.1.0.0.25000000', { isOfflineDepot: true, url: 'https://depot.lab.test' }],
    ['9.1.1.0.25100000', { isOfflineDepot: true, url: 'https://depot.lab.test', trustedCertificates: [CA.cert] }],
    ['9.2.0.0.26000000', { isOfflineDepot: true, url: 'https://depot.lab.test', trustedCertificates: [CA.cert] }],
  ])('to %s', (version, depotConfiguration) => {
    expect(body(version)).toEqual({ offlineAccount: account, depotConfiguration });
  });

  test('another port than that of https stands in the URL, and by itself before 9.1', () => {
    expect(body('9.0.0.0', ELSEWHERE).depotConfiguration).toMatchObject({ hostname: 'depot.lab.test', port: 8443 });
    expect(body('9.1.0.0', ELSEWHERE).depotConfiguration).toMatchObject({ url: 'https://depot.lab.test:8443' });
  });

  test('a certificate goes out by itself, without what stood beside it', () => {
    const sent = desiredDepot(parseVersion('9.1.1.0')!, HERE, PASSWORD, `# note\n${CA.cert}`);
    expect(JSON.stringify(sent)).not.toContain('note');
  });

  test.each(['9.0.0.0.1', '9.1.0.0.1', '9.1.1.0.1'])('%s takes it, tries it, and shows it as it was meant', (version) =>
    within({ role: 'SddcManager', version, depot: { account } }, async (scene) => {
      const session = await scene.login();
      expect(await readDepot(session)).toBeNull();
      const found = await putDepot(session, body(version, ELSEWHERE));
      expect(found.status).toBe('DEPOT_CONNECTION_SUCCESSFUL');
      const now = await readDepot(session);
      expect([sameDepot(now, ELSEWHERE), sameDepot(now, HERE), now?.offline]).toEqual([true, false, true]);
      expect(scene.fake.trusted.map(({ alias }) => alias)).toEqual(
        version.startsWith('9.1.1') ? [`vcf_${CA.sha256}`] : [],
      );
    }),
  );
});

describe('what is read', () => {
  const depot = (more: Partial<RemoteDepot>): RemoteDepot => ({
    ...{ offline: true, hostname: null, port: null, url: null, username: 'reader', status: null, message: null },
    ...more,
  });
  test.each([
    ['host and port', depot({ hostname: 'depot.lab.test', port: 443 }), true],
    ['in capitals, with a dot at the end', depot({ hostname: 'Depot.LAB.test.', port: 443 }), true],
    ['without a port', depot({ hostname: 'depot.lab.test' }), true],
    ['a URL', depot({ url: 'https://depot.lab.test' }), true],
    ['a URL with the usual port and a slash', depot({ url: 'HTTPS://DEPOT.lab.test:443/' }), true],
    ['URL and host', depot({ url: 'https://depot.lab.test', hostname: 'depot.lab.test', port: 443 }), true],
    ['another port', depot({ url: 'https://depot.lab.test:8443' }), false],
    ['without TLS', depot({ url: 'http://depot.lab.test:443' }), false],
    ['another host', depot({ hostname: 'depot2.lab.test', port: 443 }), false],
    ['another user', depot({ hostname: 'depot.lab.test', port: 443, username: 'other' }), false],
    ['no user', depot({ hostname: 'depot.lab.test', port: 443, username: null }), false],
    ['no host', depot({}), false],
    ['the online one', depot({ offline: false }), false],
    ['none', null, false],
  ])('%s', (_what, has, same) => {
    expect(sameDepot(has, HERE)).toBe(same);
  });

  test('an address of six groups stands in brackets', () => {
    expect(depotText(depot({ hostname: '2001:db8::1', port: 8443 }))).toBe('https://[2001:db8::1]:8443 as reader');
  });

  test.each([
    ['a fresh appliance', null, null],
    ['a configuration that names nothing', { depotConfiguration: { isOfflineDepot: false } }, null],
    [
      'the online depot',
      {
        depotConfiguration: { isOfflineDepot: false },
        vmwareAccount: { username: 'me@lab.test', status: 'DEPOT_CONNECTION_SUCCESSFUL' },
      },
      'the vendor’s online depot as me@lab.test',
    ],
    [
      'a URL with a login in it',
      {
        depotConfiguration: { isOfflineDepot: true, url: 'https://u:hidden@old.lab.test/x?token=hidden' },
        offlineAccount: { username: 'u' },
      },
      'https://old.lab.test as u',
    ],
  ])('%s', (_what, initial, text) =>
    within({ role: 'SddcManager', version: '9.1.0.0.1', depot: { initial } }, async (scene) => {
      const found = await readDepot(await scene.login());
      expect(found && depotText(found)).toBe(text);
      expect(JSON.stringify(found)).not.toContain('hidden');
    }),
  );

  test('what it says of a test never repeats the password, now or later', () =>
    within(
      {
        ...{ role: 'SddcManager', version: '9.1.0.0.1' },
        depot: { test: 'DEPOT_INVALID_CREDENTIAL', message: (password) => `refused ${password} (${password})` },
      },
      async (scene) => {
        const session = await scene.login();
        const found = await putDepot(session, body('9.1.0.0.1'));
        const later = await readDepot(session, undefined, { secrets: [PASSWORD] });
        expect([found.status, later?.status]).toEqual(['DEPOT_INVALID_CREDENTIAL', 'DEPOT_INVALID_CREDENTIAL']);
        expect(JSON.stringify([found, later])).not.toContain('Depot-Pass');
        expect(found.message).toContain('refused');
      },
    ));

  test('a refusal carries the appliance’s words, and nothing of what was sent', () =>
    within({ role: 'SddcManager', version: '9.1.0.0.1', depot: { test: 'untrusted' } }, async (scene) => {
      const fault = await faultFrom(putDepot(await scene.login(), body('9.1.0.0.1')));
      expect([fault.reason, fault.words.error_code]).toEqual(['refused', 'VMWARE_DEPOT_CONNECT_FAILURE']);
      expect(everythingOf(fault)).not.toContain(PASSWORD);
    }));

  test('an answer without a body tells nothing, which is no fault', () =>
    within({ role: 'SddcManager', version: '9.1.0.0.1' }, async (scene) => {
      scene.fake.faults.push({ method: 'PUT', path: /depot$/, answer: { status: 202 } });
      expect(await putDepot(await scene.login(), body('9.1.0.0.1'))).toEqual({ status: null, message: null });
    }));
});

describe('synchronisation', () => {
  const info = (status: string, completed: string | null = null): SyncInfo => ({ status, completed, error: null });
  const [OLD, NEW] = ['2026-11-20T10:00:00.000Z', '2026-11-21T10:00:00.000Z'];
  test.each([
    ['the old success, still there', [info('SYNCED', OLD), info('SYNCED', OLD)], false],
    ['a success with a later time', [info('SYNCED', OLD), info('SYNCED', NEW)], true],
    ['a success with an earlier time', [info('SYNCED', NEW), info('SYNCED', OLD)], false],
    ['a success with a first time', [info('SYNCED', null), info('SYNCED', NEW)], true],
    ['milliseconds instead of text', [info('SYNCED', '1795000000000'), info('SYNCED', '1795000600000')], true],
    ['the same time after another state', [info('SYNCED', OLD), info('SYNCING', OLD), info('SYNCED', OLD)], true],
    ['without times after another state', [info('SYNCED'), info('UNSYNCED'), info('SYNCED')], true],
    ['without times, nothing in between', [info('SYNCED'), info('SYNCED'), info('SYNCED')], false],
    ['first ever', [info('NOT_SYNCED'), info('SYNCED')], true],
    ['a failure after a success', [info('SYNCED', OLD), info('SYNC_FAILED', OLD)], true],
    ['the old failure, still there', [info('SYNC_FAILED', OLD), info('SYNC_FAILED', OLD)], false],
    ['on its way', [info('SYNCED', OLD), info('SYNCING', OLD)], false],
    ['a state nobody knows', [info('SYNCED', OLD), info('ALMOST', NEW)], false],
  ])('%s', (_what, [before, ...later], fresh) => {
    let watch = watchFrom(before!);
    for (const look of later) watch = watched(watch, look);
    expect(isFresh(watch, later.at(-1)!)).toBe(fresh);
  });

  test('states are read in whatever spelling, errors without secrets', () =>
    within({ role: 'SddcManager', version: '9.1.0.0.1' }, async (scene) => {
      const answer = {
        syncStatus: 'Sync Failed',
        errorMessage: 'fetch of https://u:hidden@depot failed',
        lastSyncCompletionTimestamp: 5,
      };
      scene.fake.faults.push({
        ...{ method: 'GET', path: /sync-info$/ },
        answer: { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(answer) },
      });
      const read = await readSync(await scene.login());
      expect([read.status, read.completed, read.error]).toEqual([
        'SYNC_FAILED',
        '5',
        expect.stringContaining('fetch of'),
      ]);
      expect(read.error).not.toContain('hidden');
    }));

  test.each([
    ['sync in progress', 'SYNC_IN_PROGRESS', '2026-11-21T10:00:00.000+0000', '2026-11-21T10:00:00.000+0000'],
    ['Not-Synced', 'NOT_SYNCED', 1795000000000, '1795000000000'],
    ['Hunter2SecretPassword', 'OTHER', 'Hunter2SecretPassword', null],
    ['SYNCING Hunter2SecretPassword', 'OTHER', 'Nov 21, 2026 10:00 AM GMT', '2026-11-21T10:00:00.000Z'],
    ['SYNCED', 'SYNCED', '', null],
    ['SYNCED'.repeat(9000), 'OTHER', '1'.repeat(9000), '1'.repeat(60)],
  ])(
    'a state and its time hold nothing else: %.40s',
    async (syncStatus, status, lastSyncCompletionTimestamp, completed) => {
      const body = () => Buffer.from(JSON.stringify({ syncStatus, lastSyncCompletionTimestamp }));
      const ask = async () => ({ status: 200, headers: {}, clean: (text: string) => text, body: body() });
      // Nobody told what was submitted.
      expect(await readSync({ ask } as never)).toEqual({ status, completed, error: null });
      const hard = { secrets: ['SYNCED'], names: ['sync'] };
      expect((await readSync({ ask } as never, undefined, hard)).status === 'SYNCED').toBe(status === 'SYNCED');
    },
  );

  test('a depot’s host name and URL repeat no password, and are bounded', async () => {
    const secret = 'Hunter2SecretPassword';
    const answer = (hostname: string) => ({
      offlineAccount: { username: hostname, status: hostname, message: hostname },
      depotConfiguration: { isOfflineDepot: true, hostname, port: 443, url: `https://${hostname}/x` },
    });
    const ask = (hostname: string) => async () => ({
      ...{ status: 200, headers: {}, clean: (text: string) => text },
      body: Buffer.from(JSON.stringify(answer(hostname))),
    });
    const read = await readDepot({ ask: ask(`${secret}.lab.test`) } as never, undefined, { secrets: [secret] });
    expect(JSON.stringify(read).toLowerCase()).not.toContain(secret.toLowerCase());
    const large = await readDepot({ ask: ask('a'.repeat(40_000)) } as never);
    expect(JSON.stringify(large).length).toBeLessThan(2000);
  });

  test('can’t begin without a depot', () =>
    within({ role: 'SddcManager', version: '9.1.0.0.1' }, async (scene) => {
      const fault = await faultFrom(startSync(await scene.login()));
      expect([fault.reason, fault.words.message]).toEqual(['refused', 'Depot is not configured']);
    }));
});
