// Network boot from what is saved to what a machine gets, through plans and applies of the real unit: what a plan shows, and
// what becomes of boots when something else is applied.
import { mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { scheduled as expireBootAttempts } from '../../../handlers/scheduled/expire-boot-attempts.ts';
import type { GatewayAnswer } from '../../../shared/kernel/operation/event.ts';
import { contentPath, mediumFolder } from '../../../shared/services/network-boot/esxi-media/media-folder.ts';
import { MANIFEST_PATH, parseManifest } from '../../../shared/services/network-boot/manifest.ts';
import { attemptPath, BOOT_CONFIG_FILE } from '../../../shared/services/network-boot/paths.ts';
import { BootScene, LISTENER, MACHINE } from '../../setup/boot-scene.ts';
import { esxiEntries, makeIso } from '../../setup/esxi-iso.ts';

const PLANS = '/api/v1/apply/plans';
/** Where a request of somebody else comes from. */
const ELSEWHERE = { local: '10.10.0.5', remote: '10.10.0.66' };

let scene: BootScene;
beforeAll(async () => {
  scene = await BootScene.open({ ticker: false });
  const { house, admin } = scene;
  await mkdir(join(house.data, 'import'));
  await writeFile(join(house.data, 'import/esxi.iso'), makeIso(esxiEntries({ bios: true })));
  const made = await house.send('POST', '/api/v1/network-boot/media', {
    token: admin.token,
    body: { name: 'ESXi 8.0 U3', path: 'esxi.iso' },
  });
  await house.appliance.runner.idle();
  scene.media_id = made.body.medium_id;
  await scene.give(scene.host_id);
  // What the scene put there itself, in the place of the unit.
  await house.services.host.remove(MANIFEST_PATH);
  await scene.call('DELETE', '/media/medium_test');
  await settings({ enabled: true, listen_interfaces: ['ens192'] });
  await applied();
});
afterAll(() => scene.house.close());
beforeEach(() => scene.write('DELETE FROM boot_attempt'));

const api = (method: string, path: string, body?: unknown) =>
  scene.house.send(method, path, { token: scene.admin.token, ...(body !== undefined && { body }) });

async function settings(body: object): Promise<void> {
  const { status, text } = await scene.call('PATCH', '/settings', body);
  if (status !== 200) throw new Error(text);
}

async function plan(): Promise<{ id: string; digest: string; units: { id: string; raw: string; check: object }[] }> {
  return (await api('POST', PLANS, { units: ['network-boot'] })).body;
}

async function applied(): Promise<void> {
  const { id, digest } = await plan();
  await api('POST', `${PLANS}/${id}/submit`, { digest });
  await scene.house.appliance.runner.idle();
  const { body } = await api('GET', `${PLANS}/${id}`);
  expect(body.state).toBe('applied');
}

const tick = () =>
  expireBootAttempts.handler(
    { source: 'groundcrew.ticker', id: 'expireBootAttempts', time: '' },
    { services: scene.house.services },
  );

const booted = (path: string): Promise<GatewayAnswer> => {
  const event = scene.house.event('GET', path, { headers: { host: LISTENER }, over: ELSEWHERE });
  return scene.house.appliance.answerBoot(event);
};
const START = `/boot/start.ipxe?mac=${MACHINE.mac}&firmware=efi`;

const ended = async () => {
  const { state, ended_reason } = await scene.last();
  return [state, ended_reason];
};
const manifest = () => scene.house.services.host.read(MANIFEST_PATH);

test('a boot goes from the menu to its Kickstart by what the unit loaded and rendered', async () => {
  const read = parseManifest((await manifest())!);
  expect(read.listeners[0]).toMatchObject({ interface: 'ens192', origin: `http://${LISTENER}` });
  expect(read.hosts.map(({ hostname }) => hostname)).toEqual(['esx01.lab.example']);
  expect((await scene.menu()).body).toContain('Install ESXi: ESXi 8.0 U3');
  const { claim, path } = await scene.ready();
  const config = await scene.boot(attemptPath(claim, BOOT_CONFIG_FILE));
  expect(config.body).toContain(`prefix=http://${LISTENER}/boot/media/${scene.media_id}\n`);
  expect((await scene.boot(path)).body).toMatch(/^rootpw CanaryVariable/m);
  expect(await ended()).toEqual(['consumed', 'retrieved']);
});

test('a plan shows what changes and nothing that is sealed', async () => {
  await scene.call('PATCH', `/esxi-hosts/${scene.host_id}`, { variables: { other: 'x' } });
  const made = await plan();
  expect(made.units.map(({ id }) => id)).toEqual(['network-boot']);
  expect(made.units[0]!.raw).toContain(`${MANIFEST_PATH}: not shown`);
  const page = await scene.house.send('GET', `/ui/management/appliance-apply/${made.id}`, { session: scene.admin });
  for (const text of [JSON.stringify(made), page.text]) {
    expect(text).toContain('esx01.lab.example');
    expect(text).not.toContain('s1.');
  }
  await scene.call('PATCH', `/esxi-hosts/${scene.host_id}`, { variables: { other: null } });
});

test('what is applied otherwise ends open attempts within a tick, and leaves those of other hosts', async () => {
  const other = await scene.addHost('esx02.lab.example', '00:50:56:01:02:04', '10.10.0.22');
  await scene.give(other);
  await applied();
  await scene.start({ mac: '00-50-56-01-02-04', firmware: 'efi' });
  await scene.ready();
  await tick();
  expect((await scene.attempts()).map(({ state }) => state).sort()).toEqual(['issued', 'pending']);
  const before = await scene.house.lastAudit();
  await scene.call('DELETE', `/esxi-hosts/${other}`);
  const waiting = await scene.house.send('GET', '/ui/management/network-boot/waiting', { session: scene.admin });
  expect(waiting.text.replaceAll(/<[^>]*>/g, ' ')).toContain('Can’t be authorized: saved and applied differ');
  await applied();
  await tick();
  const states = (await scene.attempts()).map(({ hostname, state, ended_reason }) => [hostname, state, ended_reason]);
  expect(states.sort()).toEqual([
    ['esx01.lab.example', 'issued', null],
    ['esx02.lab.example', 'burnt', 'applied-changed'],
  ]);
  expect((await scene.house.audited(before)).filter((action) => action.includes('attempt'))).toEqual([
    'network-boot.attempt.burn',
  ]);
});

test('switched off: an authorized boot that comes too late is no misuse, and all that are open end', async () => {
  const { path } = await scene.ready();
  await settings({ enabled: false });
  await applied();
  expect(await manifest()).toBeNull();
  const before = await scene.house.lastAudit();
  expect((await scene.boot(path)).statusCode).toBe(404);
  expect(await ended()).toEqual(['burnt', 'applied-changed']);
  expect(await scene.house.audited(before)).toEqual(['network-boot.attempt.burn']);
  await settings({ enabled: true });
  await applied();
  const { claim } = await scene.start();
  await settings({ enabled: false });
  await applied();
  await tick();
  expect(await ended()).toEqual(['burnt', 'applied-changed']);
  await settings({ enabled: true });
  await applied();
  expect((await scene.poll(claim)).body).toContain('Network boot was applied anew');
});

test('another port of the listener: the same', async () => {
  const { path } = await scene.ready();
  await settings({ http_port: 8091 });
  await applied();
  expect((await scene.boot(path, { host: '10.10.0.5:8091' })).statusCode).toBe(404);
  expect(await ended()).toEqual(['burnt', 'applied-changed']);
  await settings({ http_port: 8081 });
  await applied();
});

test.each(['with the host', 'by the code alone'])(
  'another port of the listener: a code of before is refused at once, not with the next tick; %s',
  async (how) => {
    const { code } = await scene.start();
    await settings({ http_port: 8091 });
    await applied();
    const heard =
      how === 'with the host'
        ? await scene.authorize(code)
        : await scene.house.send('POST', '/ui/management/network-boot/waiting', {
            session: scene.admin,
            form: { boot_code: code },
          });
    expect(heard.status).toBe(409);
    expect(await ended()).toEqual(['burnt', 'applied-changed']);
    await settings({ http_port: 8081 });
    await applied();
  },
);

test('another port of the listener: a boot authorized at the one before keeps nobody else waiting', async () => {
  await scene.ready();
  await settings({ http_port: 8091 });
  await applied();
  const event = scene.house.event('GET', START, { headers: { host: '10.10.0.5:8091' }, over: ELSEWHERE });
  expect((await scene.house.appliance.answerBoot(event)).body).toContain('Boot code');
  await settings({ http_port: 8081 });
  await applied();
});

test('a manifest that can not be read ends nothing by the clock, and raises no alarm', async () => {
  const { host } = scene.house.services;
  const content = (await manifest())!;
  const { path } = await scene.ready();
  await host.write({ path: MANIFEST_PATH, content: '{', mode: 0o640 });
  await tick();
  expect(await ended()).toEqual(['issued', null]);
  expect((await scene.boot(path)).statusCode).toBe(404);
  expect(await ended()).toEqual(['burnt', 'applied-changed']);
  const refused = await scene.call('DELETE', `/media/${scene.media_id}`);
  expect([refused.status, refused.body.error_code]).toEqual([409, 'state_conflict']);
  expect(refused.body.detail).toContain('Apply network boot once more');
  await host.write({ path: MANIFEST_PATH, content, mode: 0o640 });
});

test('somebody else in the boot network does not end a boot that is authorized', async () => {
  const { claim } = await scene.ready();
  const before = await scene.house.lastAudit();
  const heard = await booted(START);
  expect(heard.body).toContain('A boot of this host was authorized for another address just now.');
  expect(heard.body).toContain('Wait until it ends, or have it revoked');
  expect(heard.body).not.toContain('Boot code');
  expect([await ended(), await scene.house.audited(before)]).toEqual([['issued', null], []]);
  expect((await scene.boot(attemptPath(claim, BOOT_CONFIG_FILE))).statusCode).toBe(200);
  // One that only waits, and the machine's own authorized one, give way.
  expect((await scene.start()).code).not.toBe('');
  expect((await booted(START)).body).toContain('Boot code');
});

test('a medium whose files are gone or cut short is told by the plan and its page', async () => {
  const file = contentPath(mediumFolder(scene.house.services.host, scene.media_id), 'k.b00');
  const pages = async () => {
    const paths = ['/media', `/media/${scene.media_id}`].map((path) => `/ui/management/network-boot${path}`);
    const heard = await Promise.all(paths.map((path) => scene.house.send('GET', path, { session: scene.admin })));
    return heard.map(({ text }) => text.replaceAll(/<[^>]*>/g, ''));
  };
  for (const text of await pages()) expect(text).not.toContain('Files are missing');
  await settings({ http_port: 8092 });
  const check = async () => (await plan()).units.find(({ id }) => id === 'network-boot')?.check;
  expect(await check()).toMatchObject({ ok: true });
  const said = 'is missing, cut short, or a link. Restore its files, or add the image as another medium';
  for (const spoil of [() => truncate(file, 10), () => rm(file)]) {
    await spoil();
    for (const text of await pages()) for (const words of ['Files are missing', said]) expect(text).toContain(words);
    expect(await check()).toMatchObject({
      ok: false,
      faults: [expect.stringContaining(`The installer medium ESXi 8.0 U3: "k.b00" ${said}`)],
    });
  }
});
