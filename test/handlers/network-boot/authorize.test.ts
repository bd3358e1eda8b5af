// The authorization of one boot by the code on its console, over the REST API and the boot listener, and how attempts end.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { scheduled as expireBootAttempts } from '../../../handlers/scheduled/expire-boot-attempts.ts';
import { WRONG_CODES_MOST } from '../../../shared/services/network-boot/boot/boot-code.ts';
import { STARTS_MOST } from '../../../shared/services/network-boot/boot/start.ts';
import { MANIFEST_PATH } from '../../../shared/services/network-boot/manifest.ts';
import { BootScene, CANARIES, MACHINE, OTHER_LISTENER, TEXT } from '../../setup/boot-scene.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let scene: BootScene;

beforeAll(async () => {
  scene = await BootScene.open({ ticker: false });
});
afterAll(() => scene.house.close());
beforeEach(() => scene.write('DELETE FROM boot_attempt'));
afterEach(() => {
  Object.assign(scene.clocks, { wall: 0, uptime: 0, boot: 'boot-1' });
});

const tick = () =>
  expireBootAttempts.handler(
    { source: 'groundcrew.ticker', id: 'expireBootAttempts', time: '' },
    { services: scene.house.services },
  );

/** Audit events that the work writes. */
async function audited(work: () => Promise<unknown>): Promise<string[]> {
  const before = await scene.house.lastAudit();
  await work();
  return scene.house.audited(before);
}

const wrong = (code: string): string => code.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'));

describe('authorize-boot-once', () => {
  test('202 with host, times and guidance, and nothing else', async () => {
    const { code } = await scene.start();
    const before = Date.now();
    const { status, body, headers } = await scene.authorize(code);
    expect(status).toBe(202);
    expect(Object.keys(body)).toEqual(['host_id', 'issued_at', 'expires_at', 'guidance']);
    expect(body.host_id).toBe(scene.host_id);
    expect(Date.parse(body.issued_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(body.expires_at) - Date.parse(body.issued_at)).toBe(10 * MINUTE);
    expect(headers['content-type']).toBe('application/json');
    expect(await scene.last()).toMatchObject({ state: 'issued', authorized_by: expect.stringContaining('admin') });
  });

  test.each(['lower', 'spaced', 'plain'])('takes the code however it is written: %s', async (how) => {
    const { code } = await scene.start();
    const written = {
      lower: code.toLowerCase(),
      spaced: ` ${code.replace('-', ' - ')} `,
      plain: code.replace('-', ''),
    };
    expect((await scene.authorize(written[how as 'lower'])).status).toBe(202);
  });

  test.each<[string, unknown]>([
    ['no boot_code', {}],
    ['null', { boot_code: null }],
    ['a number', { boot_code: 12345678 }],
    ['a list', { boot_code: ['ABCD-EFGH'] }],
    ['an object', { boot_code: { code: 'ABCD-EFGH' } }],
    ['an unknown member', { boot_code: 'ABCD-EFGH', force: true }],
    ['a list for a body', ['ABCD-EFGH']],
  ])('422 for %s, and no try is counted', async (_name, sent) => {
    await scene.start();
    const { status, body } = await scene.call('POST', `/esxi-hosts/${scene.host_id}/authorize-boot-once`, sent);
    expect([status, body.error_code]).toEqual([422, 'request_validation_failed']);
    expect(body.errors.length).toBeGreaterThan(0);
    expect((await scene.last()).wrong_codes).toBe(0);
  });

  test.each(['', 'x', '    ', 'ABCD-EFGI', 'ABCD-EFGHJKLM', 'Ä'.repeat(2000), '\u0000'])(
    '409 for the string %j, which counts as a try',
    async (boot_code) => {
      const { code } = await scene.start();
      const events = await audited(async () => {
        const { status, body } = await scene.authorize(boot_code);
        expect([status, body.error_code]).toEqual([409, 'boot_code_refused']);
        expect(Object.keys(body)).toEqual([
          'type',
          'title',
          'status',
          'detail',
          'instance',
          'error_code',
          'request_id',
        ]);
      });
      expect(events).toEqual(['network-boot.attempt.wrong-code']);
      expect((await scene.last()).wrong_codes).toBe(1);
      expect((await scene.authorize(code)).status).toBe(202);
    },
  );

  test('404 for a host that does not exist', async () => {
    const { code } = await scene.start();
    const { status, body } = await scene.authorize(code, 'host_nobody');
    expect([status, body.error_code]).toEqual([404, 'resource_not_found']);
  });

  test('409 without a pending attempt, and for the code of one that is authorized already', async () => {
    expect((await scene.authorize('ABCD-EFGH')).body.error_code).toBe('boot_code_refused');
    const { code } = await scene.start();
    await scene.authorize(code);
    const again = await scene.authorize(code);
    expect([again.status, again.body.error_code]).toEqual([409, 'boot_code_refused']);
    expect((await scene.last()).state).toBe('issued');
  });

  test('409 for the code of another host', async () => {
    const other = await scene.addHost('esx07.lab.example', '00:50:56:01:02:07', '10.10.0.27');
    await scene.give(other);
    await scene.apply();
    const first = await scene.start();
    const second = await scene.start({ mac: '00-50-56-01-02-07', firmware: 'pcbios' });
    expect((await scene.authorize(first.code, other)).status).toBe(409);
    expect((await scene.authorize(second.code, scene.host_id)).status).toBe(409);
    expect((await scene.authorize(second.code, other)).status).toBe(202);
    expect((await scene.authorize(first.code)).status).toBe(202);
  });

  test('409 once the code is ten minutes old', async () => {
    const { code } = await scene.start();
    Object.assign(scene.clocks, { wall: 10 * MINUTE, uptime: 10 * MINUTE });
    const { status, body } = await scene.authorize(code);
    expect([status, body.error_code]).toEqual([409, 'boot_code_refused']);
  });

  test.each([
    ['forward', HOUR],
    ['back', -HOUR],
  ])('409 when the clock was set %s by an hour', async (_way, by) => {
    const { code } = await scene.start();
    scene.clocks.wall = by;
    expect((await scene.authorize(code)).status).toBe(409);
  });

  test('423 while an apply owns all mutations', async () => {
    const { code } = await scene.start();
    await scene.write(
      "INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'job_x', '2026-01-01T00:00:00Z')",
    );
    const { status } = await scene.authorize(code);
    await scene.write("DELETE FROM mutation_lock WHERE job_id = 'job_x'");
    expect(status).toBe(423);
    expect((await scene.authorize(code)).status).toBe(202);
  });

  test.each<[string, 'admin' | 'service-admin' | 'network-admin' | 'viewer', number]>([
    ['an admin', 'admin', 202],
    ['a service admin', 'service-admin', 202],
    ['a network admin', 'network-admin', 403],
    ['a viewer', 'viewer', 403],
  ])('by %s answers %4$s', async (_who, role, status) => {
    const { code } = await scene.start();
    const { token } = await scene.house.actor(role);
    expect((await scene.authorize(code, scene.host_id, token)).status).toBe(status);
  });

  test('by a token without write:pxe answers 403, without any 401', async () => {
    const { code } = await scene.start();
    const { token } = await scene.house.actor('admin', ['read:pxe', 'write:dhcp']);
    expect((await scene.authorize(code, scene.host_id, token)).status).toBe(403);
    const path = `/api/v1/network-boot/esxi-hosts/${scene.host_id}/authorize-boot-once`;
    expect((await scene.house.send('POST', path, { body: { boot_code: code } })).status).toBe(401);
    expect((await scene.last()).wrong_codes).toBe(0);
  });
});

describe('five wrong codes', () => {
  test('burn the attempt although each is refused, and the host can start a new one', async () => {
    const { code } = await scene.start();
    const events = await audited(async () => {
      for (let n = 1; n <= WRONG_CODES_MOST; n++) expect((await scene.authorize(wrong(code))).status).toBe(409);
    });
    expect(events).toEqual([...Array(4).fill('network-boot.attempt.wrong-code'), 'network-boot.attempt.burn']);
    expect(await scene.last()).toMatchObject({ state: 'burnt', ended_reason: 'wrong-codes', wrong_codes: 5 });
    expect((await scene.authorize(code)).status).toBe(409);
    const next = await scene.start();
    expect((await scene.authorize(next.code)).status).toBe(202);
  });

  test('sent at once count five times, not once', async () => {
    const { code } = await scene.start();
    const answers = await Promise.all(Array.from({ length: 40 }, () => scene.authorize(wrong(code))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([409]));
    expect(await scene.last()).toMatchObject({ state: 'burnt', wrong_codes: 5 });
  });
});

describe('drift', () => {
  test('between choice and code answers 409, names every field and secret alike, and the console says so', async () => {
    const { code, claim } = await scene.start();
    await scene.call('PATCH', `/esxi-hosts/${scene.host_id}`, {
      hostname: 'esx01b.lab.example',
      variables: { root_password: 'AnotherCanaryQWZX' },
    });
    const { status, body } = await scene.authorize(code);
    expect([status, body.error_code]).toEqual([409, 'host_drifted']);
    expect(body.detail).toBe('The saved host differs from the applied one in: Host name, Variables.');
    expect(body.blockers.map(({ subject, reason }: { subject: string; reason: string }) => [subject, reason])).toEqual([
      ['Host name of esx01b.lab.example', 'Saved: esx01b.lab.example. Applied: esx01.lab.example.'],
      ['Variables of esx01b.lab.example', 'Saved and applied differ.'],
    ]);
    expect((await scene.poll(claim)).body).toContain('The saved settings of this host differ from the applied ones.');
    expect(await scene.last()).toMatchObject({ state: 'pending', wrong_codes: 0 });
    const refused = await scene.start();
    expect([refused.code, refused.script]).toEqual([
      '',
      expect.stringContaining('Apply network boot, then choose again.'),
    ]);
    await scene.call('PATCH', `/esxi-hosts/${scene.host_id}`, {
      hostname: 'esx01.lab.example',
      variables: { root_password: CANARIES.variable },
    });
    expect((await scene.authorize(code)).status).toBe(202);
  });

  test('of a disabled host answers 409', async () => {
    const { code } = await scene.start();
    await scene.call('PATCH', `/esxi-hosts/${scene.host_id}`, { enabled: false });
    expect((await scene.authorize(code)).body.error_code).toBe('host_drifted');
    await scene.call('PATCH', `/esxi-hosts/${scene.host_id}`, { enabled: true });
  });

  test('of the text alone answers 409', async () => {
    const { code } = await scene.start();
    await scene.call('PATCH', `/kickstarts/${scene.kickstart_id}`, { text: `${TEXT}# changed\n` });
    const { body } = await scene.authorize(code);
    expect(body.detail).toBe('The saved host differs from the applied one in: Text of the Kickstart.');
    await scene.call('PATCH', `/kickstarts/${scene.kickstart_id}`, { text: TEXT });
  });

  test('an apply with other settings ends attempts that wait, in both states', async () => {
    const issued = await scene.ready();
    await scene.call('PATCH', `/kickstarts/${scene.kickstart_id}`, { text: `${TEXT}# applied\n` });
    await scene.apply();
    expect((await scene.poll(issued.claim)).body).toContain('applied anew');
    expect((await scene.boot(issued.path)).statusCode).toBe(404);
    expect(await scene.last()).toMatchObject({ state: 'burnt', ended_reason: 'applied-changed' });
    const pending = await scene.start();
    await scene.call('PATCH', `/kickstarts/${scene.kickstart_id}`, { text: TEXT });
    await scene.apply();
    expect((await scene.authorize(pending.code)).body.error_code).toBe('boot_code_refused');
    expect(await scene.last()).toMatchObject({ state: 'burnt', ended_reason: 'applied-changed' });
  });

  test('an apply of other hosts leaves a boot as it is', async () => {
    const { path } = await scene.ready();
    await scene.addHost('esx08.lab.example', '00:50:56:01:02:08', '');
    await scene.apply();
    expect((await scene.boot(path)).statusCode).toBe(200);
  });
});

describe('applied state that is unavailable', () => {
  const without = async (work: () => Promise<unknown>) => {
    const { host } = scene.house.services;
    const content = (await host.read(MANIFEST_PATH))!;
    try {
      await work();
    } finally {
      await host.write({ path: MANIFEST_PATH, content, mode: 0o600 });
    }
  };

  test.each<[string, () => Promise<void>]>([
    ['never applied', () => scene.house.services.host.remove(MANIFEST_PATH)],
    ['damaged', () => scene.house.services.host.write({ path: MANIFEST_PATH, content: '{"a":', mode: 0o600 })],
    [
      'applied without the host',
      () =>
        scene.house.services.host.write({
          path: MANIFEST_PATH,
          content: '{"version":1,"listeners":[],"hosts":[],"kickstarts":[],"media":[]}',
          mode: 0o600,
        }),
    ],
  ])('%s: 409, and the boot listener answers nothing', async (_name, spoil) => {
    const { code, claim } = await scene.start();
    await without(async () => {
      await spoil();
      const { status, body } = await scene.authorize(code);
      expect([status, body.error_code]).toEqual([409, 'applied_state_unavailable']);
      expect((await scene.menu()).statusCode).toBe(404);
      expect((await scene.poll(claim)).statusCode).toBe(404);
    });
    expect((await scene.authorize(code)).status).toBe(202);
  });
});

describe('an attempt', () => {
  test('starts at the choice and not at the menu', async () => {
    await scene.menu();
    expect(await scene.attempts()).toEqual([]);
    expect(await audited(() => scene.start())).toEqual(['network-boot.attempt.start']);
  });

  test('takes the place of the one before', async () => {
    const first = await scene.ready();
    await scene.start();
    const rows = await scene.attempts();
    expect(rows.map(({ state, ended_reason }) => [state, ended_reason])).toEqual([
      ['pending', null],
      ['expired', 'superseded'],
    ]);
    expect((await scene.boot(first.path)).statusCode).toBe(404);
    expect((await scene.poll(first.claim)).body).toContain('A later attempt of this host');
  });

  test(`is started at most ${STARTS_MOST} times in ten minutes`, async () => {
    for (let n = 0; n < STARTS_MOST; n++) expect((await scene.start()).code).not.toBe('');
    const events = await audited(async () => {
      expect((await scene.start()).script).toContain('Too many attempts of this host');
    });
    expect(events).toEqual([]);
  });

  test.each<[string, string]>([
    ['another machine', '/boot/start.ipxe?mac=00-50-56-ff-ff-ff&firmware=efi'],
    ['a host that is not complete', '/boot/start.ipxe?mac=00-50-56-01-02-08&firmware=efi'],
  ])('is not started by %s', async (_name, path) => {
    expect((await scene.boot(path)).body).toMatch(/is not known here|has no Kickstart/);
    expect(await scene.attempts()).toEqual([]);
  });

  test.each(['', '?mac=x&firmware=efi', '?mac=00-50-56-01-02-03', '?mac=00-50-56-01-02-03&firmware=arm'])(
    'is not started with the query %j',
    async (query) => {
      expect((await scene.boot(`/boot/start.ipxe${query}`)).statusCode).toBe(404);
    },
  );

  test('that ran out is expired by the clock, and shown as expired before that', async () => {
    const { claim } = await scene.start();
    Object.assign(scene.clocks, { wall: 10 * MINUTE, uptime: 10 * MINUTE });
    const { body } = await scene.call('GET', '/attempts');
    expect(body.items[0]).toMatchObject({ state: 'expired', seconds_left: 0, ended_reason: 'time-over' });
    expect((await scene.poll(claim)).body).toContain('Ten minutes are over.');
    expect((await scene.last()).state).toBe('pending');
    expect(await audited(tick)).toEqual(['network-boot.attempt.expire']);
    expect(await scene.last()).toMatchObject({ state: 'expired', ended_reason: 'time-over' });
    expect(await audited(tick)).toEqual([]);
  });

  test.each([
    ['forward', HOUR],
    ['back', -HOUR],
  ])('ends when the clock is set %s, and stays ended when it is set right', async (_way, by) => {
    const { path } = await scene.ready();
    scene.clocks.wall = by;
    expect((await scene.boot(path)).statusCode).toBe(404);
    await tick();
    scene.clocks.wall = 0;
    expect((await scene.boot(path)).statusCode).toBe(404);
    expect(await scene.last()).toMatchObject({ state: 'expired' });
  });

  test('outlives a restart of the service and not one of the machine', async () => {
    const { path } = await scene.ready();
    scene.clocks.boot = 'boot-2';
    expect((await scene.boot(path)).statusCode).toBe(404);
    scene.clocks.boot = 'boot-1';
    expect((await scene.boot(path)).statusCode).toBe(200);
  });

  test('is revoked in either open state, once', async () => {
    const { path, claim } = await scene.ready();
    const { id } = await scene.last();
    const events = await audited(async () => {
      const { status, body } = await scene.call('POST', `/attempts/${id}/revoke`);
      expect([status, body.state, body.ended_reason]).toEqual([200, 'burnt', 'revoked']);
    });
    expect(events).toEqual(['network-boot.attempt.revoke']);
    expect((await scene.boot(path)).statusCode).toBe(404);
    expect((await scene.poll(claim)).body).toContain('An operator revoked this attempt.');
    expect((await scene.call('POST', `/attempts/${id}/revoke`)).status).toBe(409);
    expect((await scene.call('POST', '/attempts/attempt_nobody/revoke')).status).toBe(404);
  });

  test('is listed without its code, its secrets and their hashes', async () => {
    await scene.ready();
    const { body, text } = await scene.call('GET', `/attempts?host_id=${scene.host_id}&state=issued`);
    expect(body.items).toHaveLength(1);
    expect(Object.keys(body.items[0])).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/hash|digest|uptime/)]),
    );
    const row = await scene.last();
    for (const hash of [row.claim_hash, row.code_hash, row.capability_hash]) expect(text).not.toContain(String(hash));
  });

  test('goes to the local disk once it was used', async () => {
    const { path } = await scene.ready();
    expect((await scene.menu()).body).not.toContain('was installed from here');
    await scene.boot(path);
    expect((await scene.menu()).body).toContain('goto menu || goto disk');
    await scene.start();
    expect((await scene.menu()).body).not.toContain('was installed from here');
  });
});

describe('the boot listener', () => {
  test('knows its plane alone, and nothing of it is on the others', async () => {
    for (const path of ['/', '/api/v1/health', '/ui/management', '/ui/public', '/openapi.json', '/boot', '/boot/']) {
      expect(await scene.boot(path)).toMatchObject({ statusCode: 404, body: 'Not found\n' });
    }
    for (const path of ['/boot/menu.ipxe', '/boot/start.ipxe']) {
      expect((await scene.house.send('GET', path)).status).toBe(404);
    }
  });

  test('answers where the applied state has it, and nowhere else', async () => {
    expect((await scene.boot('/boot/menu.ipxe', { host: OTHER_LISTENER })).body).toContain(
      `http://${OTHER_LISTENER}/boot/`,
    );
    for (const host of ['10.10.0.5', '10.10.0.5:8082', 'boot.lab.example:8081', '']) {
      expect((await scene.boot('/boot/menu.ipxe', { host })).statusCode).toBe(404);
    }
  });

  test('refuses a browser that another site sent', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const path = `/boot/start.ipxe?mac=${MACHINE.mac}&firmware=efi`;
    expect((await scene.boot(path, { headers })).statusCode).toBe(404);
    expect((await scene.boot(path, { headers: { origin: 'http://evil.example' } })).statusCode).toBe(404);
    expect(await scene.attempts()).toEqual([]);
  });
});
