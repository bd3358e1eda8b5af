// A host that somebody changes by hand, for real: an address taken away and a file edited in a network namespace are
// found, shown over the API, and put back by another apply of the unit.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { scheduled as detectDrift } from '../../handlers/scheduled/detect-drift.ts';
import type { Host } from '../../shared/ground/machine/host.ts';
import { namespaceHost } from '../../shared/platform/host/namespace.ts';
import { type Credentials, House } from '../setup/house.ts';
import { type Lab, makeLab, pidsOf } from '../setup/namespaces.ts';
import { until } from '../setup/until.ts';

let lab: Lab;
let data: string;
let host: Host;
let house: House;
let admin: Credentials;

beforeAll(async () => {
  lab = makeLab('drift');
  data = mkdtempSync(join(tmpdir(), 'groundcrew-drift-'));
  host = await namespaceHost(lab.appliance, data);
  house = await House.open({ host: () => host, links: await host.links() });
  admin = await house.actor();
  await saved('PATCH', '/api/v1/interfaces/physical/lab0', {
    role: 'access',
    ipv4_cidr: '10.88.0.1/24',
    enabled: true,
  });
  await saved('PATCH', '/api/v1/dns-dhcp/settings', { enabled: true, listen_interfaces: ['lab0'] });
  // Loading a packet filter is not what this is about.
  await saved('PATCH', '/api/v1/firewall/settings', { enabled: false });
  await apply({});
}, 120_000);

afterAll(async () => {
  await house.close();
  lab.remove();
  rmSync(data, { recursive: true, force: true });
});

async function saved(method: string, path: string, body: unknown) {
  const heard = await house.send(method, path, { token: admin.token, body });
  if (heard.status >= 300) throw new Error(heard.text);
  return heard.body;
}

/** Makes a plan, submits it and waits; answers its units. */
async function apply(wish: object): Promise<{ id: string; reason: string; says: string[] }[]> {
  const plan = await saved('POST', '/api/v1/apply/plans', wish);
  await saved('POST', `/api/v1/apply/plans/${plan.id}/submit`, { digest: plan.digest });
  await house.appliance.runner.idle();
  const { body } = await house.send('GET', `/api/v1/apply/plans/${plan.id}`, { token: admin.token });
  const job = await house.send('GET', `/api/v1/jobs/${body.job_id}`, { token: admin.token });
  expect([body.state, job.body.error]).toEqual(['applied', null]);
  return body.units;
}

/** What the clock finds now: unit → lines of those that differ. */
async function differing(): Promise<Record<string, string[]>> {
  await detectDrift.handler({ source: 'groundcrew.ticker', id: 'detectDrift', time: '' }, house);
  const { body } = await house.send('GET', '/api/v1/apply/drift', { token: admin.token });
  const found = (body.items as { unit: string; state: string; lines: string[] }[]).filter(
    ({ state }) => state !== 'none',
  );
  return Object.fromEntries(found.filter(({ state }) => state !== 'unknown').map(({ unit, lines }) => [unit, lines]));
}

const ip = (...args: string[]) => execFileSync('ip', ['-n', lab.appliance, ...args], { encoding: 'utf8' });

test('nothing differs after an apply', async () => {
  expect(await differing()).toEqual({});
});

test('an address that was removed by hand is found and put back', async () => {
  ip('addr', 'del', '10.88.0.1/24', 'dev', 'lab0');
  ip('addr', 'add', '10.99.0.1/24', 'dev', 'lab0');
  expect(await differing()).toEqual({ network: ['lab0 lacks 10.88.0.1/24'] });
  const [unit] = await apply({ units: ['network'], reapply: true });
  expect(unit).toMatchObject({ id: 'network', reason: 'the host differs from what was applied' });
  expect(unit!.says).toContain('On the host lab0 lacks 10.88.0.1/24.');
  expect(await differing()).toEqual({});
  expect(lab.inClient('ping', '-c1', '-W1', '10.88.0.1')).toMatch(/ 1 received/);
  // It is no difference, but what is on a configured link is as configured once the link is configured again.
  expect(ip('-br', 'addr', 'show', 'dev', 'lab0')).not.toContain('10.99.0.1/24');
}, 120_000);

test('a link that was taken down and an MTU that was changed are found and put back', async () => {
  ip('link', 'set', 'lab0', 'mtu', '1400');
  ip('link', 'set', 'lab0', 'down');
  expect(await differing()).toEqual({
    network: ['lab0 is down', 'lab0 has MTU 1400 instead of 1500'],
  });
  await apply({ units: ['network'], reapply: true });
  expect(await differing()).toEqual({});
}, 120_000);

test('a file that was edited by hand is found, and another plan shows the edit and undoes it', async () => {
  const folder = host.resolve('/etc/systemd/network');
  const file = readdirSync(folder).find((name) => name.includes('lab0'))!;
  appendFileSync(join(folder, file), '[Network]\nDHCP=yes\n');
  expect(await differing()).toEqual({ network: [`/etc/systemd/network/${file} was changed`] });
  const [unit] = await apply({ units: ['network'], reapply: true });
  expect(unit).toMatchObject({
    reason: 'the host differs from what was applied',
    written: [`/etc/systemd/network/${file}`],
  });
  expect((unit as unknown as { raw: string }).raw).toContain('-DHCP=yes');
  expect(await differing()).toEqual({});
}, 120_000);

test('a daemon that was killed is found, and another apply starts it', async () => {
  const [pid] = pidsOf(lab.appliance, 'dnsmasq');
  process.kill(pid!, 'SIGKILL');
  await until(() => pidsOf(lab.appliance, 'dnsmasq').length === 0);
  expect(await differing()).toEqual({ 'dns-dhcp': ['dnsmasq does not run'] });
  await apply({ units: ['dns-dhcp'], reapply: true });
  expect(await differing()).toEqual({});
  expect(pidsOf(lab.appliance, 'dnsmasq')).toHaveLength(1);
}, 120_000);

test('an address, an MTU and a default route that were set by hand are kept when they are adopted', async () => {
  ip('addr', 'del', '10.88.0.1/24', 'dev', 'lab0');
  ip('addr', 'add', '10.88.0.9/24', 'dev', 'lab0');
  ip('link', 'set', 'lab0', 'mtu', '1400');
  ip('route', 'add', 'default', 'via', '10.88.0.254', 'dev', 'lab0');
  const differs = (await differing()).network;
  expect(differs).toHaveLength(3);
  const adopted = await saved('POST', '/api/v1/apply/drift/network/adopt', undefined);
  expect(adopted).toMatchObject({
    interfaces: [
      {
        name: 'lab0',
        changed: [
          { property: 'mtu', from: 1500, to: 1400 },
          { property: 'ipv4_cidr', from: '10.88.0.1/24', to: '10.88.0.9/24' },
          { property: 'ipv4_gateway', from: '', to: '10.88.0.254' },
        ],
      },
    ],
    refreshed_units: ['dns-dhcp'],
  });
  // Saved, and no more than that: the host is as it was, and still not as it was applied.
  expect(await differing()).toEqual({ network: differs });
  expect((await apply({})).map(({ id }) => id)).toEqual(['network', 'dns-dhcp']);
  expect(await differing()).toEqual({});
  expect(ip('-br', 'addr', 'show', 'dev', 'lab0')).toMatch(/ 10\.88\.0\.9\/24\s*$/);
  expect(ip('route', 'show', 'default')).toMatch(
    /^default via 10\.88\.0\.254 dev lab0 proto static metric \d+ onlink\s*$/,
  );
  expect(lab.inClient('ping', '-c1', '-W1', '10.88.0.9')).toMatch(/ 1 received/);
}, 120_000);

test('an address with a lifetime, as DHCP gives it, is not adopted, and another apply takes it away', async () => {
  ip('addr', 'del', '10.88.0.9/24', 'dev', 'lab0');
  ip('addr', 'add', '10.88.0.77/24', 'dev', 'lab0', 'valid_lft', '3600', 'preferred_lft', '3600');
  const heard = await house.send('POST', '/api/v1/apply/drift/network/adopt', { token: admin.token });
  expect([heard.status, heard.body.blockers?.[0].reason]).toEqual([
    409,
    '10.88.0.77/24 ends by itself, as what DHCP or a router advertisement gives.',
  ]);
  await apply({ units: ['network'], reapply: true });
  expect(ip('-br', 'addr', 'show', 'dev', 'lab0')).toMatch(/ 10\.88\.0\.9\/24\s*$/);
}, 120_000);

test('each was audited when it came and when it went', async () => {
  const drift = (await house.audited()).filter((action) => action.startsWith('drift.'));
  const once = ['drift.found', 'drift.gone'];
  expect(drift).toEqual([...once, ...once, ...once, ...once, 'drift.found', 'drift.adopt', 'drift.gone']);
});
