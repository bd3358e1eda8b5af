// Datastores with the real NFS-Ganesha (needs root): a whole appliance in this process, whose host is a network namespace, and
// hosts in another that mount what it exports.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compareHost } from '../../shared/appliance/apply/drift.ts';
import { preparePlan, storePlan } from '../../shared/appliance/apply/make-plan.ts';
import { submitPlan } from '../../shared/appliance/apply/submit.ts';
import type { Host } from '../../shared/ground/machine/host.ts';
import { findJob } from '../../shared/kernel/jobs/job.ts';
import { namespaceHost } from '../../shared/platform/host/namespace.ts';
import { networkUnit } from '../../shared/platform/network/unit.ts';
import { GANESHA_FILE, ganeshaDaemon } from '../../shared/services/storage/files.ts';
import type { NfsAnswer, NfsQuestion } from '../../shared/services/storage/nfs-question.ts';
import { storageUnit } from '../../shared/services/storage/unit.ts';
import { type Credentials, House } from '../setup/house.ts';
import { type Lab, makeLab, pidsOf } from '../setup/namespaces.ts';
import { until } from '../setup/until.ts';

const SLOW = 120_000;
const V4 = '10.88.0.1';
const V6 = 'fd88::1';
const HOST4 = '10.88.0.2';
const HOST6 = 'fd88::2';
const PATH = '/srv/datastores/disk-1/lab';
const QUESTION = fileURLToPath(new URL('../../shared/services/storage/nfs-question.ts', import.meta.url));

let lab: Lab;
let folder: string;
let host: Host;
let house: House;
let admin: Credentials;
let volume: string;
let datastore: string;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
async function api(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await house.send(method, `/api/v1/${path}`, { token: admin.token, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Reviews, submits and waits; answers how it ended and what was said of storage. */
async function apply() {
  const { services, appliance } = house;
  const prepared = await preparePlan(services, [networkUnit, storageUnit], 'test', {
    units: ['storage'],
    reapply: true,
  });
  const { id, digest, units } = prepared.plan;
  await services.store.write((tx) => storePlan(tx, prepared));
  const { job_id } = await services.store.write((tx) => submitPlan(tx, services, id, { digest, note: '' }, 'test'));
  services.notify('queue');
  await appliance.runner.idle();
  const job = await findJob(services.store, job_id!);
  const log = job.tasks.find(({ name }) => name === 'storage')?.log.map(({ text }) => text) ?? [];
  return { state: job.state, log: log.join('\n'), unit: units.find((unit) => unit.id === 'storage') };
}

/** As a host in the client's namespace. */
function asks(question: Partial<NfsQuestion> = {}): NfsAnswer {
  const whole = { address: V4, from: HOST4, version: '4.1', path: PATH, ...question };
  const args = ['netns', 'exec', lab.client, process.execPath, '--disable-warning=ExperimentalWarning', QUESTION];
  const ran = spawnSync('ip', [...args, JSON.stringify([whole])], { encoding: 'utf8', timeout: 30_000 });
  return (JSON.parse(ran.stdout) as NfsAnswer[])[0]!;
}

/** libnfs speaks 3 and 4.0. */
function libnfs(program: string, ...args: string[]) {
  const ran = spawnSync('ip', ['netns', 'exec', lab.client, program, ...args], { encoding: 'utf8', timeout: 30_000 });
  return { code: ran.status, out: ran.stdout, said: ran.stderr };
}
const url = (version: 3 | 4, path = PATH) => `nfs://${V4}${path}?version=${version}`;

const MOUNTED = { refused: null, error: null };
const NO_EXPORT = { refused: 2, total: null };
/** Of the program itself: the shell that started it names it, too. */
const running = (program: string) =>
  pidsOf(lab.appliance, program).filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === program);
const pids = () => running('ganesha.nfsd');
const storageDrift = async () =>
  JSON.stringify([...(await compareHost(house.services, [storageUnit])).findings.values()]);

beforeAll(async () => {
  lab = makeLab('nfs');
  folder = mkdtempSync(join(tmpdir(), 'gct-nfs-'));
  spawnSync('ip', ['-n', lab.client, 'addr', 'add', `${HOST6}/64`, 'dev', 'c1', 'nodad']);
  spawnSync('ip', ['-n', lab.client, 'addr', 'add', '10.88.0.3/24', 'dev', 'c1']);
  const data = mkdtempSync(join(folder, 'data-'));
  host = await namespaceHost(lab.appliance, data);
  house = await House.open({ data, fresh: true, host: () => ({ ...host }), links: await host.links() });
  admin = await house.actor('admin');
  const lan = { role: 'access', ipv4_cidr: `${V4}/24`, ipv6_enabled: true, ipv6_cidr: `${V6}/64`, enabled: true };
  await api('PATCH', 'interfaces/physical/lab0', lan);
  await api('PATCH', 'storage/settings', { enabled: true });
  volume = (await api('POST', 'storage/volumes', { name: 'disk-1', device: '/dev/disk/by-id/scsi-1' })).id;
  datastore = (
    await api('POST', 'storage/datastores', {
      name: 'lab',
      volume_id: volume,
      interface: 'lab0',
      address_families: ['ipv4', 'ipv6'],
      ipv4_clients: [HOST4],
      ipv6_clients: ['fd88::/64'],
    })
  ).id;
  const applied = await apply();
  expect(applied).toMatchObject({ state: 'succeeded' });
  expect(applied.log).toMatch(/lab at 10\.88\.0\.1 \(\d+ GiB of \d+ GiB left\), lab at fd88::1/);
}, SLOW);

afterAll(async () => {
  await house?.close();
  lab?.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe('a datastore over NFS 4.1', () => {
  test('tells its capacity over either family', () => {
    for (const each of [{}, { address: V6, from: HOST6 }]) {
      const { total, available, ...rest } = asks(each);
      expect(rest).toEqual(MOUNTED);
      expect(BigInt(total!) > 0n && BigInt(available!) <= BigInt(total!)).toBe(true);
    }
  });

  test('is not there for a host outside of its clients, nor over the family of others', () => {
    expect(asks({ from: '10.88.0.3' })).toMatchObject(NO_EXPORT);
    expect(asks({ path: '/srv/datastores/disk-1' }).error).toBeNull();
    expect(asks({ path: '/etc' })).toMatchObject(NO_EXPORT);
  });

  test('is spoken in no other version', () => {
    expect(libnfs('nfs-ls', url(4)).said).toMatch(/MINOR_VERS_MISMATCH/);
    expect(libnfs('nfs-ls', url(3)).said).toMatch(/Failed to mount/);
    expect(asks({ version: '3' }).error).toMatch(/ECONNREFUSED/);
  });
});

describe('what needs no restart', () => {
  test(
    'other clients, and one more datastore',
    async () => {
      const before = pids();
      await api('PATCH', `storage/datastores/${datastore}`, { ipv4_clients: ['10.88.0.3'] });
      const other = await api('POST', 'storage/datastores', {
        name: 'second',
        volume_id: volume,
        interface: 'lab0',
        address_families: ['ipv4'],
        ipv4_clients: ['any'],
      });
      const { state, log, unit } = await apply();
      expect([state, unit!.risk]).toEqual(['succeeded', 'high']);
      expect(unit!.says.join('\n')).toMatch(/Datastore lab is not for 10\.88\.0\.2\/32 any more: hosts there/);
      expect(log).toMatch(/without a restart/);
      expect(pids()).toEqual(before);
      expect(asks()).toMatchObject(NO_EXPORT);
      expect(asks({ from: '10.88.0.3' })).toMatchObject(MOUNTED);
      expect(asks({ path: '/srv/datastores/disk-1/second' })).toMatchObject(MOUNTED);

      await api('DELETE', `storage/datastores/${other.id}`);
      await api('PATCH', `storage/datastores/${datastore}`, { ipv4_clients: [HOST4] });
      expect((await apply()).unit!.says.join('\n')).toMatch(/Datastore second is not exported any more/);
      expect(pids()).toEqual(before);
      expect(asks({ path: '/srv/datastores/disk-1/second' })).toMatchObject(NO_EXPORT);
      expect(asks()).toMatchObject(MOUNTED);
    },
    SLOW,
  );
});

describe('a host that is connected', () => {
  const HOLD = `require('node:net').connect({ host: process.argv[1], port: 2049, localAddress: process.argv[2] })
    .on('connect', () => console.log('open')).on('error', () => process.exit()); setTimeout(() => process.exit(), 60000);`;
  let holds: ChildProcess;
  beforeAll(async () => {
    await api('POST', 'dns/zones', { name: 'lab.test' });
    await api('POST', 'dns/records', { fqdn: 'esx01.lab.test', type: 'A', value: HOST4 });
    holds = spawn('ip', ['netns', 'exec', lab.client, process.execPath, '-e', HOLD, V4, HOST4]);
    await new Promise((opened) => void holds.stdout!.once('data', opened));
  }, SLOW);
  afterAll(() => void holds?.kill());

  test('is told with its name, the datastores that it may mount, and how full these are', async () => {
    const status = await api('GET', 'storage/status');
    expect(status.hosts).toEqual([
      {
        ...{ address: HOST4, name: 'esx01.lab.test', connected_to: [V4], datastores: ['lab'] },
        // Ganesha tells neither, unless over D-Bus.
        ...{ version: null, program: '', renewed_seconds: null, open_files: null },
      },
    ]);
    expect(status.tells_clients).toBe(false);
    expect(status.datastores).toMatchObject([{ name: 'lab', volume: 'disk-1', limited: false }]);
    const { size_bytes, free_bytes } = status.volumes[0];
    expect(size_bytes > 0 && free_bytes <= size_bytes).toBe(true);
  });

  test.each([
    [
      'its network goes',
      'PATCH',
      { ipv4_clients: ['10.88.0.3'] },
      /^Datastore lab is not for them any more: 10\.88\.0\.2 \(esx01\.lab\.test\) is a client of it now\.$/m,
    ],
    [
      'the version changes',
      'PATCH',
      { nfs_version: '3' },
      /^The server restarts, which stalls whoever is connected now: 10\.88\.0\.2/m,
    ],
    [
      'the family goes',
      'PATCH',
      { address_families: ['ipv6'] },
      /^Datastore lab does not answer at 10\.88\.0\.1 any more: 10\.88\.0\.2/m,
    ],
  ] as const)('is named by a plan when %s', async (_what, method, body, says) => {
    const path = `storage/datastores/${datastore}`;
    const was = await api('GET', path);
    await api(method, path, body);
    const { plan } = await preparePlan(house.services, [networkUnit, storageUnit], 'test', { units: ['storage'] });
    const unit = plan.units.find(({ id }) => id === 'storage')!;
    expect([unit.risk, unit.says.join('\n')]).toEqual(['high', expect.stringMatching(says)]);
    const { ipv4_clients, nfs_version, address_families } = was;
    await api('PATCH', path, { ipv4_clients, nfs_version, address_families });
  });
});

describe('what is changed behind it', () => {
  test(
    'a killed server is found, and put back',
    async () => {
      process.kill(pids()[0]!, 'SIGKILL');
      await until(async () => !(await host.daemonRunning(ganeshaDaemon(host, false))));
      expect(await storageDrift()).toMatch(/the NFS server does not run/);
      expect((await apply()).state).toBe('succeeded');
      expect(asks()).toMatchObject(MOUNTED);
      expect(await storageDrift()).not.toMatch(/NFS server|datastore/);
    },
    SLOW,
  );

  test.each(['4.1', '3'])(
    'an export over NFS %s that somebody removed alone is found by the next plan, and put back',
    async (nfs_version) => {
      const name = `other-${nfs_version[0]}`;
      const other = { name, volume_id: volume, interface: 'lab0', address_families: ['ipv4'], nfs_version };
      const made = await api('POST', 'storage/datastores', { ...other, ipv4_clients: [HOST4] });
      expect((await apply()).state).toBe('succeeded');
      expect(await storageDrift()).not.toMatch(/datastore/);
      const path = `/srv/datastores/disk-1/${name}`;
      const version = nfs_version as '3' | '4.1';
      expect(asks({ version, path })).toMatchObject(MOUNTED);
      // The file is as it was applied: only the server differs.
      const file = host.resolve(GANESHA_FILE);
      const applied = readFileSync(file, 'utf8');
      const [head = '', ...exports] = applied.split('EXPORT {');
      const left = exports.filter((each) => !each.includes(`Pseudo = ${path};`));
      writeFileSync(file, [head, ...left].join('EXPORT {'));
      await host.reloadDaemon(ganeshaDaemon(host, true));
      await until(() => asks({ version, path }).error !== null);
      writeFileSync(file, applied);
      const { state, unit } = await apply();
      expect(unit!.says.join('\n')).toMatch(
        new RegExp(`On the host datastore ${name} at 10\\.88\\.0\\.1 does not answer`),
      );
      expect([state, unit!.risk]).toEqual(['succeeded', 'medium']);
      expect(asks({ version, path })).toMatchObject(MOUNTED);
      await api('DELETE', `storage/datastores/${made.id}`);
      expect((await apply()).state).toBe('succeeded');
    },
    SLOW,
  );

  test(
    'a file that Ganesha cannot read drops every export, which is found, too',
    async () => {
      const file = host.resolve(GANESHA_FILE);
      writeFileSync(file, 'EXPORT { nonsense');
      await host.reloadDaemon(ganeshaDaemon(host, false));
      await until(() => asks().refused === 2);
      expect(await storageDrift()).toMatch(/datastore lab at 10\.88\.0\.1 does not answer over NFS 4\.1/);
      expect((await apply()).state).toBe('succeeded');
      expect(asks()).toMatchObject(MOUNTED);
    },
    SLOW,
  );
});

describe('NFS 3, where it is asked', () => {
  test(
    'comes with a port mapper, takes what root writes, and goes with the datastore',
    async () => {
      const path = '/srv/datastores/disk-1/three';
      const three = await api('POST', 'storage/datastores', {
        name: 'three',
        volume_id: volume,
        interface: 'lab0',
        address_families: ['ipv4'],
        nfs_version: '3',
        ipv4_clients: [HOST4],
      });
      const { state, log, unit } = await apply();
      expect([state, log]).toEqual(['succeeded', expect.stringMatching(/restarted/)]);
      expect(unit!.interruption).toMatch(/stalls/);
      const local = join(folder, 'payload');
      writeFileSync(local, 'x'.repeat(100_000));
      expect(libnfs('nfs-cp', local, url(3, `${path}/payload`)).code).toBe(0);
      const stored = statSync(join(host.resolve(path), 'payload'));
      expect([stored.size, stored.uid]).toEqual([100_000, 0]);
      expect(asks({ version: '3', path })).toMatchObject(MOUNTED);
      expect(asks({ version: '3', path, from: '10.88.0.3' })).toMatchObject({ refused: 13 });
      // Each in its own version alone.
      expect(asks({ path })).toMatchObject(NO_EXPORT);
      expect(asks({ version: '3' }).error).not.toBeNull();
      expect(asks()).toMatchObject(MOUNTED);

      await api('DELETE', `storage/datastores/${three.id}`);
      expect((await apply()).state).toBe('succeeded');
      expect(asks({ version: '3', path }).error).toMatch(/ECONNREFUSED/);
      await until(() => running('rpcbind').length === 0);
      // What a datastore held stays.
      expect(existsSync(join(host.resolve(path), 'payload'))).toBe(true);
    },
    SLOW,
  );
});

describe('switched off', () => {
  test(
    'nothing answers',
    async () => {
      await api('PATCH', 'storage/settings', { enabled: false });
      const { state, unit } = await apply();
      expect([state, unit!.risk]).toEqual(['succeeded', 'high']);
      expect(pids()).toEqual([]);
      expect(asks().error).toMatch(/ECONNREFUSED/);
      expect(await storageDrift()).not.toMatch(/NFS server/);
    },
    SLOW,
  );
});
