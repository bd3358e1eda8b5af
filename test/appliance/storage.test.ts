// Datastores on the appliance itself: the kernel's NFS server, systemd's mounts, a disk with XFS. Debian with Groundcrew
// installed by its own script boots in software emulation; a machine beside it mounts what an operator exports.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mountFile } from '../../shared/services/storage/files.ts';
import type { NfsAnswer, NfsQuestion } from '../../shared/services/storage/nfs-question.ts';
import { render } from '../../shared/services/storage/render.ts';
import { APPLIANCE_PACKAGES, debianBase } from './base.ts';
import { extractImage, type Image } from './image.ts';
import { type ApplianceLab, makeApplianceLab } from './lab.ts';
import { Machine, pause } from './machine.ts';
import { switchOnClient } from './nfs-client.ts';
import { Operator } from './operator.ts';
import { Plans } from './plans.ts';
import type { Guest } from './tagged-guest.ts';

/** Three starts of a machine of its own, from a base of its own: `npm run long` tries it. */
const BOOTS = process.env.RESTARTS === 'all';
const longTest = BOOTS ? test : () => undefined;
/** Milliseconds after which something is taken to hang; no pace is judged by them. */
const BOOT = 600_000;
const STEP = 400_000;
const WHOLE = 1_800_000;
const SCOPES = [
  ...['interfaces', 'storage', 'firewall', 'apply', 'jobs'].map((scope) => `write:${scope}`),
  'read:metrics',
];
const SERIAL = 'GCDATA01';
/** Of a disk that nobody wrote to. */
const BLANK = 'GCBLANK1';
const SERVER = '10.20.0.1';
/** The machine that mounts, another client on the same wire, and a stranger there. */
const HOST = '10.20.0.50';
const FRIEND = '10.20.0.3';
const STRANGER = '10.20.0.2';
const VOLUME = '/srv/datastores/disk-1';
const PATH = `${VOLUME}/lab`;
const QUESTION = fileURLToPath(new URL('../../shared/services/storage/nfs-question.ts', import.meta.url));

let image: Image;
let lab: ApplianceLab;
let appliance: Machine;
let client: Guest;
let operator: Operator;
let plans: Plans;
let folder: string;
let disk: string;
let password = '';
let volume: string;
let datastore: string;
const began = performance.now();
const times: string[] = [];
const note = (what: string): void => void times.push(`${((performance.now() - began) / 1000).toFixed(1)} s ${what}`);

/** What the log says went wrong, for the report of a failing test. */
const failures = (): string =>
  appliance.console
    .split('\n')
    .filter((line) => /ERROR|enforce|watchdog|rollback|panic|nfs|mount/.test(line))
    .slice(-30)
    .join('\n');

function switchOn({ withDisk = true } = {}): Machine {
  const { management, trunk, data } = lab.taps;
  return new Machine({
    namespace: lab.namespace,
    kernel: image.kernel,
    initrd: image.initrd,
    parameters: 'root=/dev/vda rw systemd.show_status=0',
    disk,
    disks: [
      { path: join(folder, 'blank.img'), serial: BLANK },
      ...(withDisk ? [{ path: join(folder, 'xfs.img'), serial: SERIAL }] : []),
    ],
    memory_mb: 1024,
    processors: 2,
    cards: [management, trunk, data].map((tap, at) => ({ tap, mac: `52:54:00:99:02:0${at}` })),
    shell: `${disk}.shell`,
    limit: WHOLE,
  });
}

beforeAll(async () => {
  if (!BOOTS) return;
  image = extractImage(debianBase([...APPLIANCE_PACKAGES, 'nfs-kernel-server', 'xfsprogs']).archive);
  const installed = image.install('--management', 'enp0s8=10.99.0.1/24');
  if (installed.code !== 0) throw new Error(installed.said);
  disk = image.disk('disk.img');
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-storage-'));
  const made = spawnSync('sh', ['-c', 'truncate -s 4G "$0" && mkfs.xfs -q "$0"', join(folder, 'xfs.img')]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  writeFileSync(join(folder, 'blank.img'), '');
  truncateSync(join(folder, 'blank.img'), 2 ** 30);
  lab = makeApplianceLab();
  // What says nothing else comes from the first one.
  for (const address of [FRIEND, STRANGER]) lab.run('ip', 'addr', 'add', `${address}/24`, 'dev', 'trunk');
  operator = new Operator(lab.namespace, 'https://10.99.0.1');
  plans = new Plans(operator, STEP, failures);
  note('disks made');
  appliance = switchOn();
  const mac = '52:54:00:99:02:10';
  client = switchOnClient(lab, image, { shell: `${disk}.client`, mac, address: `${HOST}/24`, limit: WHOLE });
}, WHOLE);

afterAll(async () => {
  operator?.close();
  for (const machine of [client?.machine, appliance]) if (machine?.running) await machine.cutPower();
  client?.remove();
  lab?.remove();
  image?.remove();
  if (folder) rmSync(folder, { recursive: true, force: true });
  if (BOOTS) console.log(times.join('\n'));
}, STEP);

/** As somebody on the wire. */
function asks(question: Partial<NfsQuestion> = {}): NfsAnswer {
  const whole = { address: SERVER, from: FRIEND, version: '4.1', path: PATH, ...question };
  const said = lab.run(process.execPath, '--disable-warning=ExperimentalWarning', QUESTION, JSON.stringify([whole]));
  return (JSON.parse(said) as NfsAnswer[])[0]!;
}

/** Of a client: only root has a port below 1024, which a mount needs. */
const NOT_ROOT = { refused: 1 };
const SILENCE = { refused: null, error: 'no answer in time' };
const url = (version: 3 | 4, path: string) => `nfs://${SERVER}${path}?version=${version}`;
const inside = (command: string) => appliance.inside(command);
const types = (command: string) => client.machine.inside(command, STEP);
const mounts = (at: string, version: string, path = PATH) =>
  types(`mount -t nfs4 -o vers=${version},addr=${SERVER},clientaddr=${HOST},soft,timeo=100 ${SERVER}:${path} ${at}`);
const CONNECT = `require('node:net').connect(Number(process.argv[2]), process.argv[1])
  .on('connect', () => { console.log('open'); process.exit(); }).on('error', () => process.exit());
  setTimeout(() => process.exit(), 2000);`;
/** Whether somebody on the wire gets through to this port. */
const reaches = (port: number): boolean => lab.run(process.execPath, '-e', CONNECT, SERVER, String(port)) === 'open';

async function storageDrift(): Promise<string> {
  const { items } = await operator.expect('POST', '/api/v1/apply/drift/compare');
  return JSON.stringify(items.find(({ unit }: { unit: string }) => unit === 'storage'));
}

/** What a volume of that name is mounted by, as an apply writes it. */
function mountOf(mount_path: string): { path: string; content: string } {
  const volume = { name: 'one', device: `/dev/disk/by-id/virtio-${SERIAL}`, mount_path };
  const files = render(
    { settings: { enabled: true, hostname: '' }, volumes: [volume], datastores: [] } as never,
    (path) => path,
    'system',
  );
  return files.find(({ path }) => path === mountFile(mount_path))!;
}

test('systemd takes the mount of a volume, under the name that is its place', () => {
  const own = mkdtempSync(join(tmpdir(), 'groundcrew-mount-'));
  try {
    const { path, content } = mountOf('/srv/datastores/one-two.three');
    const file = join(own, basename(path));
    writeFileSync(file, content);
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
    // Of a unit whose name is not that of its place systemd says so, and refuses it.
    expect(verified.stderr).not.toMatch(/Where=|not matching|Failed to/);
    expect(content).toContain('Where=/srv/datastores/one-two.three\n');
    const other = join(own, 'srv-datastores-other.mount');
    writeFileSync(other, content);
    expect(spawnSync('systemd-analyze', ['verify', '--man=no', other], { encoding: 'utf8' }).stderr).toMatch(/Where=/);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
});

longTest(
  'it boots, and nothing of NFS runs before something is exported',
  async () => {
    await operator.reaches(BOOT);
    note('first answer');
    [, password = ''] = await appliance.shows(/with this password, then change it:[\s\S]*?\]: {3,}(\S{20})\s/, STEP);
    await operator.signIn(password, SCOPES);
    const services = 'nfs-server nfs-mountd rpc-statd nfs-idmapd nfsdcld';
    expect(await inside(`systemctl is-active ${services}`)).toBe(Array(5).fill('inactive').join('\n'));
    expect(await inside("ss -Hltn '( sport = :2049 or sport = :20048 )'")).toBe('');
  },
  BOOT + STEP,
);

longTest(
  'a disk with XFS is mounted by systemd, and exported over 4.1 at the address of its interface',
  async () => {
    await operator.expect('PATCH', '/api/v1/interfaces/physical/enp0s9', {
      role: 'access',
      ipv4_cidr: `${SERVER}/24`,
      enabled: true,
    });
    await operator.expect('PATCH', '/api/v1/storage/settings', { enabled: true });
    const device = `/dev/disk/by-id/virtio-${SERIAL}`;
    ({ id: volume } = await operator.expect('POST', '/api/v1/storage/volumes', { name: 'disk-1', device }));
    ({ id: datastore } = await operator.expect('POST', '/api/v1/storage/datastores', {
      name: 'lab',
      volume_id: volume,
      interface: 'enp0s9',
      address_families: ['ipv4'],
      ipv4_clients: [HOST, FRIEND],
    }));
    await plans.apply();
    note('first apply');
    expect(await inside(`findmnt -n -o FSTYPE,OPTIONS ${VOLUME}`)).toMatch(/^xfs +rw,nosuid,nodev,noexec/);
    expect(await inside('cat /proc/fs/nfsd/versions')).toMatch(/-3 \+4 -4\.0 \+4\.1 -4\.2/);
    expect(await inside("ss -Hltn 'sport = :2049'")).toMatch(/^\S+ +\d+ +\d+ +10\.20\.0\.1:2049 \S+$/);
    expect(asks()).toMatchObject(NOT_ROOT);
    // The probe mounts it as a host would, at the appliance's own address.
    expect(await storageDrift()).toMatch(/"state":"none"/);
  },
  2 * STEP,
);

longTest(
  'a stranger, 4.0 and 3 get nothing, and the ports of 3 are closed',
  () => {
    // The packet filter lets nobody in but clients.
    expect(asks({ from: STRANGER })).toMatchObject(SILENCE);
    expect(asks({ path: '/etc' })).toMatchObject({ refused: 2 });
    expect(lab.run('nfs-ls', url(4, PATH))).toMatch(/MINOR_VERS_MISMATCH/);
    expect([111, 20_048, 2_049].map(reaches)).toEqual([false, false, true]);
  },
  STEP,
);

longTest(
  'a Linux host mounts it over 4.1 alone, and root writes',
  async () => {
    await client.machine.shows(/client: up/, BOOT);
    expect(await mounts('/b', '4.0')).not.toBe('');
    expect(await mounts('/a', '4.1')).toBe('');
    const [, size] = (await types('df -k /a')).match(/\s(\d{7})\s/) ?? [];
    expect(Number(size)).toBeGreaterThan(4_000_000);
    expect(await types('dd if=/dev/zero of=/a/payload bs=64k count=16 2>/dev/null; sync; ls /a')).toBe('payload');
    expect(await inside(`stat -c '%s %u' ${PATH}/payload`)).toBe('1048576 0');
    // Root reads the kernel's clients for the service, and the sockets tell where each is connected.
    const { tells_clients, hosts } = await operator.expect('GET', '/api/v1/storage/status');
    expect([tells_clients, hosts]).toMatchObject([
      true,
      [{ address: HOST, version: '4.1', connected_to: [SERVER], datastores: ['lab'] }],
    ]);
    note('a host wrote');
  },
  2 * BOOT,
);

let fresh: { volume: string; datastore: string };
const FRESH = '/srv/datastores/fresh';

longTest(
  'a blank disk is formatted by a reviewed plan, mounted and exported; one that carries anything is refused',
  async () => {
    const { disks } = await operator.expect('GET', '/api/v1/storage/disks');
    const told = new Map(disks.map((each: { serial: string }) => [each.serial, each]));
    expect(told.get(BLANK)).toMatchObject({ fit: 'blank', bytes: 2 ** 30, volume: null });
    expect(told.get(SERIAL)).toMatchObject({ fit: 'no', volume: { name: 'disk-1' }, mounts: [VOLUME] });
    const order = (id: string, confirm: string) =>
      operator.call('POST', `/api/v1/storage/volumes/${id}/format`, { confirm });
    expect((await order(volume, 'disk-1')).status).toBe(409);
    const device = `/dev/disk/by-id/virtio-${BLANK}`;
    const { id } = await operator.expect('POST', '/api/v1/storage/volumes', { name: 'fresh', device });
    expect((await order(id, 'other')).status).toBe(422);
    expect((await order(id, 'fresh')).status).toBe(200);
    const { id: datastore } = await operator.expect('POST', '/api/v1/storage/datastores', {
      name: 'fresh',
      volume_id: id,
      interface: 'enp0s9',
      address_families: ['ipv4'],
      ipv4_clients: [HOST, FRIEND],
    });
    fresh = { volume: id, datastore };
    await plans.apply();
    const { filesystem_uuid, ordered_work } = await operator.expect('GET', `/api/v1/storage/volumes/${id}`);
    expect(ordered_work).toBe('');
    expect(await inside(`findmnt -n -o FSTYPE,UUID ${FRESH}`)).toMatch(new RegExp(`^xfs +${filesystem_uuid}$`));
    expect(await mounts('/b', '4.1', `${FRESH}/fresh`)).toBe('');
    expect(await types('dd if=/dev/zero of=/b/payload bs=64k count=16 2>/dev/null; sync; umount /b')).toBe('');
    expect(await inside(`stat -c '%s %u' ${FRESH}/fresh/payload`)).toBe('1048576 0');
    expect(await storageDrift()).toMatch(/"state":"none"/);
    note('a blank disk was formatted, and a host wrote to it');
  },
  3 * STEP,
);

longTest(
  'a size limit is the capacity that hosts see, and binds root here and on a host',
  async () => {
    const limit = (size_limit_gib: number) =>
      operator.expect('PATCH', `/api/v1/storage/datastores/${datastore}`, { size_limit_gib });
    const kib = async () => Number((await types('df -k /a')).match(/\s(\d{6,8})\s/)?.[1]);
    const whole = await kib();
    await limit(1);
    await plans.apply();
    expect(await inside(`findmnt -n -o OPTIONS ${VOLUME}`)).toMatch(/prjquota/);
    expect(await kib()).toBe(1_048_576);
    expect(await storageDrift()).toMatch(/"state":"none"/);
    note('limited');
    const root = `fallocate -l 1100M ${PATH}/big 2>&1; rm -f ${PATH}/big; fallocate -l 1000M ${PATH}/big && echo fits`;
    expect(await inside(root)).toMatch(/No space left on device\nfits$/);
    expect(await types('dd if=/dev/zero of=/a/more bs=64k count=1024 conv=fsync 2>&1; rm -f /a/more')).toMatch(
      /No space left/,
    );
    expect(await inside(`rm ${PATH}/big; fallocate -l 1100M ${VOLUME}/other && rm ${VOLUME}/other && echo free`)).toBe(
      'free',
    );
    const [project] = (await inside('grep -v "#" /etc/groundcrew/storage/limits')).split(' ');
    await inside(`xfs_quota -x -c 'limit -p bhard=2g ${project}' ${VOLUME}`);
    expect(await storageDrift()).toMatch(/shows hosts 2 GiB, but by its size limit it has 1 GiB/);
    await limit(0);
    await plans.apply();
    expect(await kib()).toBe(whole);
    note('and without');
  },
  2 * STEP,
);

longTest(
  'a host whose right is taken loses it at once, and has it again when it is given back',
  async () => {
    await operator.expect('PATCH', `/api/v1/storage/datastores/${datastore}`, { ipv4_clients: [FRIEND] });
    await plans.apply();
    expect(await types('ls /a/payload')).toMatch(/ls: /);
    await operator.expect('PATCH', `/api/v1/storage/datastores/${datastore}`, { ipv4_clients: [HOST, FRIEND] });
    await plans.apply();
    expect(await types('ls /a/payload')).toBe('/a/payload');
    note('revoked and given back');
  },
  2 * STEP,
);

longTest(
  'NFS 3 comes with its ports, those of locks fixed, and goes with the last datastore of it',
  async () => {
    const { id } = await operator.expect('POST', '/api/v1/storage/datastores', {
      name: 'three',
      volume_id: volume,
      interface: 'enp0s9',
      address_families: ['ipv4'],
      nfs_version: '3',
      ipv4_clients: [HOST, FRIEND],
    });
    await plans.apply();
    const path = `${VOLUME}/three`;
    expect(await inside('rpcinfo -p | grep nlockmgr')).toMatch(/^(?: *100021 +\d +(?:tcp|udp) +32803 +nlockmgr\s*)+$/);
    expect([111, 20_048, 2_049].map(reaches)).toEqual([true, true, true]);
    writeFileSync(join(folder, 'payload'), 'x'.repeat(100_000));
    lab.run('nfs-cp', join(folder, 'payload'), url(3, `${path}/payload`));
    expect(await inside(`stat -c '%s %u' ${path}/payload`)).toBe('100000 0');
    expect(asks({ version: '3', path, from: STRANGER })).toMatchObject(SILENCE);
    const options = `vers=3,nolock,proto=tcp,mountproto=tcp,addr=${SERVER},mountaddr=${SERVER}`;
    expect(await types(`mount -t nfs -o ${options} ${SERVER}:${path} /b; ls /b; umount /b`)).toBe('payload');
    // The other one, which was mounted over the restart, goes on.
    expect(await types('ls /a')).toBe('payload');
    note('NFS 3');
    await operator.expect('DELETE', `/api/v1/storage/datastores/${id}`);
    await plans.apply();
    expect([111, 20_048, 2_049].map(reaches)).toEqual([false, false, true]);
    expect(asks({ path })).toMatchObject({ refused: 2 });
    expect(await inside(`stat -c %s ${path}/payload`)).toBe('100000');
    note('and without');
  },
  3 * STEP,
);

longTest(
  'a disk that is missing at the start takes its datastore along, and nothing else',
  async () => {
    await inside('sync');
    await appliance.cutPower();
    appliance = switchOn({ withDisk: false });
    await operator.reaches(BOOT);
    note('it answers without the disk');
    for (const until = performance.now() + STEP; performance.now() < until; await pause(1_000))
      if ((await inside('systemctl is-active nfs-server')) === 'active') break;
    expect(await inside('systemctl is-active nfs-server groundcrew')).toBe('active\nactive');
    expect([2, 13]).toContain(asks().refused);
    expect(await inside(`ls -A ${VOLUME}`)).toBe('');
    expect(await storageDrift()).toMatch(/datastore lab at 10\.20\.0\.1 does not answer over NFS 4\.1/);
    // The other disk goes on.
    expect(asks({ path: `${FRESH}/fresh` })).toMatchObject(NOT_ROOT);
    const { conditions } = await operator.expect('GET', '/api/v1/health');
    expect(JSON.stringify(conditions)).toMatch(/Storage does not answer as applied/);
    note('it says so');
  },
  BOOT + 2 * STEP,
);

longTest(
  'the disk is back at the next start, and hosts go on',
  async () => {
    await appliance.cutPower();
    truncateSync(join(folder, 'blank.img'), 2 ** 31);
    appliance = switchOn();
    await operator.reaches(BOOT);
    for (const until = performance.now() + STEP; performance.now() < until; await pause(1_000))
      if (asks().refused === NOT_ROOT.refused) break;
    expect(asks()).toMatchObject(NOT_ROOT);
    expect(await types('ls /a/payload')).toBe('/a/payload');
    note('the disk is back');
  },
  BOOT + 2 * STEP,
);

longTest(
  'a disk that grew is told, and its filesystem grows by a plan while it is exported',
  async () => {
    // The connection of before the power was cut may only be missed by a question that can be asked twice.
    await operator.expect('GET', '/api/v1/storage/disks');
    expect(await storageDrift()).toMatch(
      /the disk of the volume fresh is larger \(2 GiB\) than its filesystem \(1 GiB\)/,
    );
    await operator.expect('POST', `/api/v1/storage/volumes/${fresh.volume}/grow`, { confirm: 'fresh' });
    await plans.apply();
    expect(Number(await inside(`df --output=size ${FRESH} | tail -n 1`))).toBeGreaterThan(1_500_000);
    expect(await inside(`stat -c %s ${FRESH}/fresh/payload`)).toBe('1048576');
    expect(await storageDrift()).not.toMatch(/larger/);
    await operator.expect('DELETE', `/api/v1/storage/datastores/${fresh.datastore}`);
    await operator.expect('DELETE', `/api/v1/storage/volumes/${fresh.volume}`);
    note('the filesystem grew');
  },
  2 * STEP,
);

longTest(
  'a volume that is deleted is not mounted any more, and no server runs',
  async () => {
    await operator.expect('DELETE', `/api/v1/storage/datastores/${datastore}`);
    await operator.expect('DELETE', `/api/v1/storage/volumes/${volume}`);
    await plans.apply();
    expect(await inside(`findmnt -n ${VOLUME}`)).toBe('');
    expect(await inside('systemctl is-active nfs-server nfs-mountd')).toBe('inactive\ninactive');
    expect(await inside("find /etc/systemd/system -name '*datastores*'")).toBe('');
    expect(reaches(2_049)).toBe(false);
    note('gone');
  },
  2 * STEP,
);
