// Network Time Security with real programs on both sides (needs root): chronyd of the appliance serves it with a certificate of
// our authority, chronyd as a client proves it. No clock is touched: every chronyd here runs with -x.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ensureDaemonCertificates } from '../../../../shared/appliance/apply/daemon-certificates.ts';
import { calledAt } from '../../../../shared/appliance/overview/called-at.ts';
import { offeredAt } from '../../../../shared/appliance/overview/public-services.ts';
import { UNITS } from '../../../../shared/appliance/units.ts';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { createRoot } from '../../../../shared/platform/certificate-authority/authority.ts';
import { issuedById } from '../../../../shared/platform/certificate-authority/certificate-store.ts';
import { prepareRenewal, storeRenewal } from '../../../../shared/platform/certificate-authority/issue.ts';
import { keyPath } from '../../../../shared/platform/host/key-files.ts';
import { namespaceHost } from '../../../../shared/platform/host/namespace.ts';
import { CERTIFICATE_FILE } from '../../../../shared/services/ntp/files.ts';
import { type Credentials, House } from '../../../setup/house.ts';
import { type Lab, makeLab } from '../../../setup/namespaces.ts';
import { until } from '../../../setup/until.ts';

const NAME = 'ntp.lab.test';
let lab: Lab;
let folder: string;
let host: Host;
let house: House;
let admin: Credentials;
let roots: { ours: string; other: string };
const clients: string[] = [];

async function api(method: string, path: string, body?: unknown) {
  const answer = await house.send(method, `/api/v1/${path}`, { token: admin.token, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Reviews and applies over the API, as an operator does; answers the unit's part and how the job ended. */
async function apply() {
  const plan = await api('POST', 'apply/plans', { units: ['ntp'] });
  const unit = plan.units.find(({ id }: { id: string }) => id === 'ntp');
  const { job_id } = await api('POST', `apply/plans/${plan.id}/submit`, { digest: plan.digest });
  await house.appliance.runner.idle();
  const job = await api('GET', `jobs/${job_id}`);
  return { unit, state: job.state, said: JSON.stringify(job) };
}

/** Whether guests are told of NTS, and what the page of the time service says, in words. */
async function told(): Promise<{ offered: boolean | undefined; page: string }> {
  const called = await calledAt(house.services, { local_address: '10.88.9.1', open_ms: 0 });
  const offered = (await offeredAt(house.services, called)).find(({ service }) => service === 'ntp')?.nts;
  const { text } = await house.send('GET', '/ui/management/ntp', { session: admin });
  return { offered, page: text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ') };
}

const inClient = (...args: string[]) =>
  spawnSync('ip', ['netns', 'exec', lab.client, ...args], { encoding: 'utf8', timeout: 20_000 });

/** Starts a chronyd that asks by name with NTS and trusts this root alone; answers how to ask it. */
function client(name: string, root: string): (words: string) => string {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  const socket = join(own, 'run', 'chronyd.sock');
  writeFileSync(join(own, 'root.pem'), root);
  const lines = [
    `server ${NAME} iburst nts`,
    'nosystemcert',
    `ntstrustedcerts ${own}/root.pem`,
    `ntsdumpdir ${own}`,
    `pidfile ${own}/pid`,
    `bindcmdaddress ${socket}`,
    'cmdport 0',
    `logdir ${own}`,
  ];
  writeFileSync(join(own, 'chrony.conf'), `${lines.join('\n')}\n`);
  const ran = inClient('chronyd', '-x', '-u', 'root', '-l', join(own, 'log'), '-f', join(own, 'chrony.conf'));
  expect(`${ran.stderr}${ran.stdout}`).toBe('');
  clients.push(join(own, 'pid'));
  return (words) => inClient('chronyc', '-c', '-N', '-h', socket, ...words.split(' ')).stdout.trim();
}

/** `NTS`, key id, type, length, seconds, attempts, NAK, cookies, length of a cookie: chronyc(1), authdata. */
const authenticated = (ask: (words: string) => string) => {
  const [name, mode, key_id] = ask('authdata').split(',');
  return { name, mode, keys: Number(key_id) > 0 };
};
/** `^*` and its like: chosen as a source of time. */
const isChosen = (ask: (words: string) => string) => /^\^,\*/.test(ask('sources'));

beforeAll(async () => {
  lab = makeLab('nts');
  folder = mkdtempSync(join(tmpdir(), 'gct-nts-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  spawnSync('ip', ['-n', lab.client, ...'addr add 10.88.9.2/24 dev c1'.split(' ')]);
  // The resolver of the namespace: `ip netns exec` mounts these over /etc.
  mkdirSync(`/etc/netns/${lab.client}`, { recursive: true });
  writeFileSync(`/etc/netns/${lab.client}/hosts`, `10.88.9.1 ${NAME}\n127.0.0.1 localhost\n`);
  host = await namespaceHost(lab.appliance, data);
  house = await House.open({ data, fresh: true, host: () => ({ ...host }), links: await host.links() });
  admin = await house.actor('admin');
  await api('PATCH', 'certificate-authority/settings', { enabled: true });
  const other = await House.open();
  const side = await other.actor('admin');
  await other.send('PATCH', '/api/v1/certificate-authority/settings', { token: side.token, body: { enabled: true } });
  const makes = (one: House) => one.services.store.write((tx) => createRoot(tx, one.services, 'test'));
  roots = { ours: (await makes(house)).pem, other: (await makes(other)).pem };
  await other.close();
  await api('PATCH', 'interfaces/physical/lab0', { role: 'access', ipv4_cidr: '10.88.9.1/24', enabled: true });
  const applied = await api('POST', 'apply/plans', { units: ['network'] });
  await api('POST', `apply/plans/${applied.id}/submit`, { digest: applied.digest });
  await house.appliance.runner.idle();
}, 120_000);

afterEach(() => {
  for (const file of clients.splice(0)) {
    const pid = Number(readFileSync(file, 'utf8'));
    process.kill(pid, 'SIGTERM');
  }
});

afterAll(async () => {
  rmSync(`/etc/netns/${lab.client}`, { recursive: true, force: true });
  await house.close();
  lab.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('a client with our root is answered with authentication; with another root it takes no time', async () => {
  await api('PATCH', 'ntp/settings', {
    enabled: true,
    hostname: NAME,
    listen_interfaces: ['lab0'],
    local_stratum: 5,
    nts_enabled: true,
  });
  const { state, unit, said } = await apply();
  expect({ state, said }).toMatchObject({ state: 'succeeded', said: expect.stringContaining('NTS with the applied') });
  expect(unit.says.join(' ')).toContain('get their keys on TCP port 4460');
  expect(statSync(host.resolve(keyPath('ntp'))).mode & 0o777).toBe(0o640);
  expect(await told()).toEqual({ offered: true, page: expect.stringContaining('NTS certificate until') });
  const [good, bad] = [client('good', roots.ours), client('bad', roots.other)];
  await until(async () => authenticated(good).keys && isChosen(good));
  expect(authenticated(good)).toEqual({ name: NAME, mode: 'NTS', keys: true });
  await until(async () =>
    /TLS handshake.*failed|certificate.*not trusted/i.test(readFileSync(join(folder, 'bad/log'), 'utf8')),
  );
  expect(authenticated(bad)).toEqual({ name: NAME, mode: 'NTS', keys: false });
  expect(isChosen(bad)).toBe(false);
}, 120_000);

test('a renewed certificate is pending, and a plan brings it and its key to chronyd', async () => {
  const { services } = house;
  const before = { certificate: await host.read(CERTIFICATE_FILE), key: await host.read(keyPath('ntp')) };
  const row = (await services.store.one<{ id: string }>("SELECT id FROM issued_certificate WHERE purpose = 'ntp'"))!;
  const renewal = await prepareRenewal(services, row.id);
  const by = { actor: { name: 'test' }, at: new Date().toISOString() };
  const { id } = await services.store.write((tx) => storeRenewal(tx, services, by, row.id, renewal));
  expect(await host.read(keyPath('ntp'))).toBe(before.key);
  const { state, unit, said } = await apply();
  expect({ state, said }).toMatchObject({ state: 'succeeded', said: expect.stringContaining('chronyd was restarted') });
  expect(unit.says).toEqual([expect.stringContaining('The certificate of NTS is replaced.')]);
  expect(await host.read(CERTIFICATE_FILE)).toBe((await issuedById(services.store, id))!.certificate_pem);
  expect(await host.read(keyPath('ntp'))).not.toBe(before.key);
  expect(readdirSync(dirname(host.resolve(keyPath('ntp'))))).toEqual(['tls.key']);
  const again = client('again', roots.ours);
  await until(async () => authenticated(again).keys);
}, 120_000);

test('nothing is made anew before its time, and without NTS no key stays on the host', async () => {
  expect(await ensureDaemonCertificates(house.services, UNITS)).toEqual([]);
  await api('PATCH', 'ntp/settings', { nts_enabled: false });
  const { state, unit } = await apply();
  expect([state, unit.removed.sort()]).toEqual(['succeeded', [CERTIFICATE_FILE, keyPath('ntp')]]);
  expect(readdirSync(dirname(host.resolve(keyPath('ntp'))))).toEqual([]);
  expect(await told()).toEqual({ offered: false, page: expect.stringMatching(/NTS no\b/) });
}, 120_000);
