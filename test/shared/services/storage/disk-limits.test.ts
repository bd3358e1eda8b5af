// What disks and size limits have to do with each other: a disk that is formatted, mounted and limited by one plan.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { fileRefusal } from '../../../../shared/appliance/host-guard.ts';
import type { DaemonSpec, Host } from '../../../../shared/ground/machine/host.ts';
import { activate } from '../../../../shared/services/storage/activate.ts';
import { check } from '../../../../shared/services/storage/check.ts';
import type { DesiredVolume, StorageDesired } from '../../../../shared/services/storage/desired.ts';
import { type FilesystemKind, fingerprintOf } from '../../../../shared/services/storage/disk-fitness.ts';
import { workUnit } from '../../../../shared/services/storage/disk-order.ts';
import { mountFile } from '../../../../shared/services/storage/files.ts';
import { disksOf } from '../../../../shared/services/storage/inventory.ts';
import { DiskMachine } from './disk-machine.ts';
import { change, desired, LAB, textOf } from './scene.ts';

const UUID = '7b1f4c8e-3a52-4d19-9c61-0e8a5f2d7b43';
const AT = LAB.mount_path;
const UNIT = 'srv-datastores-v\\x2d1.mount';
let machine: DiskMachine;

beforeEach(() => {
  machine = new DiskMachine();
  machine.disk({ name: 'sdb', number: '8:16', ids: ['scsi-1'] }).put('swaps', '');
  machine.put('mountinfo', '');
});
afterEach(() => machine.remove());

const carry = (kind: string) =>
  machine.put('udev/b8:16', `S:disk/by-id/scsi-1\nE:ID_FS_TYPE=${kind}\nE:ID_FS_UUID=${UUID}\n`);
const mountWith = (options: string) =>
  machine.put('mountinfo', `36 35 8:16 / ${AT} rw,nodev shared:1 - xfs /dev/sdb rw,${options}\n`);

async function stateOf(
  kind: FilesystemKind,
  ordered?: DesiredVolume['ordered'],
  size_limit_gib = 5,
): Promise<StorageDesired> {
  const [disk] = await disksOf(machine.seen);
  const filesystem = { kind, uuid: UUID, bytes: disk!.bytes, fingerprint: fingerprintOf(disk!) };
  const volume = { name: 'v-1', device: '/dev/disk/by-id/scsi-1', mount_path: AT, filesystem };
  return { ...desired({ size_limit_gib }), volumes: [{ ...volume, ...(ordered && { ordered }) }] };
}

/** `stuck`: a mount can't be stopped. */
function appliance(stuck = false) {
  const ran: string[] = [];
  let active = false;
  let running = false;
  const exec = async (program: string, args: string[]) => {
    if (args[0] === 'is-active') return { code: active ? 0 : 3, stdout: '', stderr: '' };
    ran.push(args.join(' '));
    if (args[0] === 'start') carry('xfs');
    if (args[0] === 'enable') {
      active = true;
      mountWith('prjquota');
    }
    if (args[0] === 'stop' && !stuck) active = false;
    const code = args[0] === 'stop' && stuck ? 1 : 0;
    return { code, stdout: program === 'systemctl' ? 'loaded\n' : '', stderr: '' };
  };
  const host = {
    ...{ kind: 'system', enforces: true, exec },
    resolve: (path: string) => (path.startsWith('/srv') ? join(machine.folder, path) : path),
    daemonRunning: async () => running,
    startDaemon: async ({ systemd }: DaemonSpec) => {
      running ||= systemd === 'nfs-server.service';
      ran.push(`start ${systemd}`);
    },
    stopDaemon: async ({ systemd }: DaemonSpec) => {
      running = false;
      ran.push(`stop ${systemd}`);
    },
  };
  const begin = () => {
    active = true;
    running = true;
  };
  return { host: host as unknown as Host, ran, begin };
}

describe('a disk that is formatted and limited by the same plan', () => {
  test('may be with XFS, and not with ext4, though it is blank until then', async () => {
    const order = { work: 'format', plan: '' } as const;
    const faults = async (kind: FilesystemKind) =>
      (await check(appliance().host, await stateOf(kind, order), machine.seen, machine.folder)).faults;
    expect(await faults('xfs')).toEqual([]);
    expect(await faults('ext4')).toEqual([expect.stringMatching(/has a size limit, but its volume v-1 carries ext4/)]);
  });

  test('is mounted with quota, and the limit holds before the first export', async () => {
    mkdirSync(join(machine.folder, AT), { recursive: true });
    const state = await stateOf('xfs', { work: 'format', plan: 'plan_a' });
    const mount = textOf(state, mountFile(AT))!;
    expect(mount).toContain('What=/dev/disk/by-id/scsi-1\n');
    expect(mount).toContain('Options=nodev,nosuid,noexec,nofail,prjquota\n');
    expect(fileRefusal({ path: mountFile(AT), content: mount, mode: 0o644 })).toBeNull();
    const { host, ran } = appliance();
    const bench = { plan_id: 'plan_a', records: machine.folder };
    await activate(host, state, change({ ...state, volumes: [], datastores: [] }, state), machine.seen, bench);
    expect(ran).toEqual([
      `start ${workUnit('format', UUID)}`,
      'daemon-reload',
      `enable --now ${mountFile(AT)}`,
      'start groundcrew-datastore-limits.service',
      'start nfs-server.service',
    ]);
  });
});

describe('the first limit on a volume that is mounted', () => {
  test('mounts it anew', async () => {
    mkdirSync(join(machine.folder, AT), { recursive: true });
    carry('xfs');
    mountWith('noquota');
    const [before, after] = [await stateOf('xfs', undefined, 0), await stateOf('xfs')];
    const { host, ran, begin } = appliance();
    begin();
    await activate(host, after, change(before, after), machine.seen);
    expect(ran).toEqual([
      ...['daemon-reload', 'stop nfs-server.service', `stop ${UNIT}`, `enable --now ${mountFile(AT)}`],
      ...['start groundcrew-datastore-limits.service', 'start nfs-server.service'],
    ]);
  });

  test('says what to do where files are open on it', async () => {
    carry('xfs');
    mountWith('noquota');
    const [before, after] = [await stateOf('xfs', undefined, 0), await stateOf('xfs')];
    const { host, ran, begin } = appliance(true);
    begin();
    await expect(activate(host, after, change(before, after), machine.seen)).rejects.toThrow(
      /has files open on v-1\. End that/,
    );
    expect(ran).not.toContain('start groundcrew-datastore-limits.service');
  });
});
