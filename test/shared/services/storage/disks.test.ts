// Which disks may be volumes: none that the appliance itself runs from, by whatever name. udev's and the kernel's files are laid
// out in a folder.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { activate } from '../../../../shared/services/storage/activate.ts';
import { check } from '../../../../shared/services/storage/check.ts';
import type { DesiredDatastore, StorageDesired } from '../../../../shared/services/storage/desired.ts';
import { deviceFault, mountedAt, type Seen } from '../../../../shared/services/storage/disks.ts';
import { drift } from '../../../../shared/services/storage/drift.ts';
import { mountFile, mountUnit } from '../../../../shared/services/storage/files.ts';
import type { NfsQuestion } from '../../../../shared/services/storage/nfs-question.ts';
import { probe, probeInForce } from '../../../../shared/services/storage/probe.ts';

let folder: string;
let seen: Seen;
const id = (name: string) => `/dev/disk/by-id/${name}`;

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
/** A disk or a partition as udev and sysfs show it. */
function block(name: string, number: string, ids: string[], under = ''): void {
  const at = `sys/devices/${under}${name}`;
  put(`${at}/dev`, `${number}\n`);
  put(`${at}/uevent`, `MAJOR=8\nDEVNAME=${name}\n`);
  if (under !== '') put(`${at}/partition`, '1\n');
  put(`udev/b${number}`, ['I:1', ...ids.map((each) => `S:disk/by-id/${each}`), ''].join('\n'));
  for (const [link, as] of [
    ['sys/dev/block', number],
    ['sys/class/block', name],
  ] as const) {
    mkdirSync(join(folder, link), { recursive: true });
    symlinkSync(join(folder, at), join(folder, link, as));
  }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-disks-'));
  seen = {
    udev: join(folder, 'udev'),
    sys: join(folder, 'sys'),
    mounts: join(folder, 'mountinfo'),
    swaps: join(folder, 'swaps'),
  };
  block('sda', '8:0', ['ata-system']);
  block('sda1', '8:1', ['ata-system-part1', 'wwn-odd'], 'sda/');
  block('sdb', '8:16', ['scsi-data', 'scsi-data-too']);
  block('sdc', '8:32', ['scsi-pv']);
  block('dm-0', '253:0', ['dm-name-var']);
  put('sys/devices/sdc/holders/dm-0', '');
  block('sdd', '8:48', ['scsi-swap']);
  block('sde', '8:64', ['scsi-btrfs']);
  block('sdf', '8:80', ['scsi-other']);
  put(
    'mountinfo',
    [
      '20 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw',
      '21 20 8:16 / /srv/datastores/a rw - xfs /dev/sdb rw',
      '22 20 253:0 / /var/lib/groundcrew rw - ext4 /dev/mapper/var rw',
      '23 20 0:40 / /mnt/groundcrew\\040depot rw - btrfs /dev/sde rw',
      '',
    ].join('\n'),
  );
  put('swaps', 'Filename Type Size Used Priority\n/dev/sdd                                partition 1 0 -2\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a disk', () => {
  test.each([
    ['ata-system', /is in use by the appliance itself, at \/$/],
    ['ata-system-part1', /no whole disk/],
    ['wwn-odd', /is a part of a disk/],
    ['scsi-pv', /itself, at \/var\/lib\/groundcrew$/],
    ['dm-name-var', /no whole disk/],
    ['scsi-swap', /as swap/],
    ['scsi-btrfs', /at \/mnt\/groundcrew depot$/],
    ['scsi-data', null],
    ['scsi-data-too', null],
    ['scsi-other', null],
    ['scsi-away', null],
  ])('%s', async (name, fault) => {
    const found = await deviceFault(id(name), seen);
    if (fault === null) expect(found).toBeNull();
    else expect(found).toMatch(fault);
  });

  test('is told from another one at its place', async () => {
    const at = (name: string) => mountedAt('/srv/datastores/a', id(name), seen);
    expect(await Promise.all(['scsi-data', 'scsi-other', 'scsi-away'].map(at))).toEqual(['it', 'another', 'unseen']);
    expect(await mountedAt('/mnt/groundcrew depot', id('scsi-btrfs'), seen)).toBe('it');
    expect(await mountedAt('/srv/datastores/b', id('scsi-data'), seen)).toBe('nothing');
  });

  test('of the appliance itself is refused before anything is mounted', async () => {
    const exec = async () => ({ code: 0, stdout: 'loaded\n', stderr: '' });
    const host = { kind: 'system', enforces: true, resolve: (path: string) => path, exec } as unknown as Host;
    const faults = async (name: string) => {
      const volumes = [{ name: 'v', device: id(name), mount_path: '/srv/datastores/v' }];
      const desired = { settings: { enabled: true, hostname: '' }, volumes, datastores: [] };
      return (await check(host, desired, seen)).faults;
    };
    expect(await faults('ata-system')).toEqual(['The disk of the volume v is in use by the appliance itself, at /.']);
    expect((await faults('ata-system-part1'))[0]).toMatch(/no whole disk: delete the volume/);
    expect(await faults('scsi-other')).toEqual([]);
  });
});

describe('another disk at the place of one', () => {
  const AT = '/srv/datastores/a';
  const stateOf = (name: string): StorageDesired => ({
    settings: { enabled: true, hostname: '' },
    volumes: [{ name: 'a', device: id(name), mount_path: AT }],
    datastores: [],
  });
  const unit = mountUnit(AT);
  /** As long as the fixture says, what is mounted there is scsi-data. */
  function machine(answers: (line: string) => number = () => 0) {
    const ran: string[] = [];
    let running = true;
    const host = {
      kind: 'system',
      enforces: true,
      resolve: (path: string) => path,
      exec: async (program: string, args: string[]) => {
        const line = [program, ...args].join(' ');
        ran.push(line);
        return { code: answers(line), stdout: '', stderr: '' };
      },
      daemonRunning: async () => running,
      stopDaemon: async () => {
        running = false;
        ran.push('stop server');
      },
      startDaemon: async () => void ran.push('start server'),
    } as unknown as Host;
    return { host, ran };
  }
  const none = { before: null, after: new Map(), written: [], removed: [] };

  test('the server and the mount stop, and the other one is mounted', async () => {
    const { host, ran } = machine();
    await activate(host, stateOf('scsi-other'), { ...none, written: [mountFile(AT)] }, seen);
    expect(ran.filter((line) => !line.includes('is-active'))).toEqual([
      'systemctl daemon-reload',
      'stop server',
      `systemctl stop ${unit}`,
      `systemctl enable --now ${mountFile(AT)}`,
    ]);
  });

  test.each([
    ['the right one stays', 'scsi-data', [mountFile(AT)]],
    ['one that is not seen any more stays, where the volume is the same', 'scsi-away', []],
  ])('%s', async (_what, name, written) => {
    const { host, ran } = machine();
    await activate(host, stateOf(name), { ...none, written }, seen);
    expect(ran).not.toContain(`systemctl stop ${unit}`);
  });

  test('one that is in use is not taken for the other', async () => {
    const { host, ran } = machine((line) => (line === `systemctl stop ${unit}` ? 1 : 0));
    expect(await activate(host, stateOf('scsi-other'), none, seen)).toMatch(
      /Not mounted: a, at whose place another disk/,
    );
    expect(ran.join()).not.toMatch(/enable/);
  });

  test('is drift, as is a disk that is away and a mount that no volume names', async () => {
    const told = async (state: StorageDesired, code = 0) =>
      (await drift(machine(() => code).host, state, {}, seen)).filter((line) => !line.includes('NFS server'));
    expect(await told(stateOf('scsi-data'))).toEqual([]);
    expect(await told(stateOf('scsi-other'))).toEqual([
      expect.stringMatching(/^another disk than that of the volume a/),
    ]);
    expect(await told(stateOf('scsi-away'), 3)).toEqual([
      'the volume a is not mounted, since its disk is away: apply storage again when it is back',
    ]);
    expect(await told({ ...stateOf('scsi-data'), volumes: [] })).toEqual([
      expect.stringMatching(/^a disk is mounted at \/srv\/datastores\/a, which no volume in force names/),
    ]);
  });
});

describe('the probe while a disk is away', () => {
  const volume = (name: string, disk: string) => ({ name, device: id(disk), mount_path: `/srv/datastores/${name}` });
  const datastore = (name: string, on: string): DesiredDatastore => ({
    ...{ id: name, name, mount_path: `/srv/datastores/${on}`, path: name, version: '4.1', interface: 'ens192' },
    ...{ usable: true, addresses: ['10.0.0.5'], clients: ['10.0.0.0/24'], unserved: [] },
  });
  const state: StorageDesired = {
    settings: { enabled: true, hostname: '' },
    volumes: [volume('a', 'scsi-data'), volume('b', 'scsi-away')],
    datastores: [datastore('lab', 'a'), datastore('gone', 'b')],
  };
  const mounted = { total: '1', available: '1', refused: null, error: null };
  const refused = { total: null, available: null, refused: 2, error: 'no such export' };
  /** Volume a is mounted. Answers what was asked, too. */
  function machine(lab = mounted) {
    const paths: string[] = [];
    const exec = async (program: string, args: string[]) => {
      if (program === 'systemctl')
        return { code: args.at(-1) === mountUnit('/srv/datastores/a') ? 0 : 3, stdout: '', stderr: '' };
      const questions = JSON.parse(args[1]!) as NfsQuestion[];
      paths.push(...questions.map(({ path }) => path));
      const answers = questions.map(({ path, from }) => (from !== '127.0.0.1' && path.includes('lab') ? lab : refused));
      return { code: 0, stdout: JSON.stringify(answers), stderr: '' };
    };
    return { host: { kind: 'system', enforces: true, exec } as unknown as Host, paths };
  }
  const pause = async () => undefined;

  test('asks for the others, and names what is not exported', async () => {
    const { host, paths } = machine();
    const { ok, said } = await probe(host, state, null, pause, seen);
    expect([ok, said]).toEqual([
      true,
      expect.stringMatching(
        /lab at 10\.0\.0\.5 .*Not exported, since their disk is away: gone\. When it is back, apply/,
      ),
    ]);
    expect(paths.join()).not.toMatch(/gone/);
    const alone = { ...state, datastores: [datastore('gone', 'b')] };
    expect((await probe(host, alone, null, pause, seen)).ok).toBe(true);
  });

  test('fails for a disk that is there and not mounted, and for what else does not answer', async () => {
    const there = { ...state, volumes: [state.volumes[0]!, volume('b', 'scsi-other')] };
    expect((await probe(machine().host, there, null, pause, seen)).ok).toBe(false);
    expect((await probe(machine({ ...mounted, error: 'late' } as never).host, state, null, pause, seen)).ok).toBe(
      false,
    );
  });

  test('of what is in force fails all the time, and says what to do', async () => {
    const { ok, said } = await probeInForce(machine().host, state, pause, seen);
    expect([ok, said]).toEqual([
      false,
      expect.stringMatching(/gone at .* The disk is away of: b\. When it is back, apply/),
    ]);
  });
});
