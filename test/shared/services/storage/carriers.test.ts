// A UUID is no name of one disk: a copy carries it, too, and the appliance's own filesystems have some. None of them comes to the
// place of a volume, whoever asks for it.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { fileRefusal } from '../../../../shared/appliance/host-guard.ts';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { carriersOf } from '../../../../shared/services/storage/carriers.ts';
import { check } from '../../../../shared/services/storage/check.ts';
import type { DesiredVolume, StorageDesired } from '../../../../shared/services/storage/desired.ts';
import { fingerprintOf } from '../../../../shared/services/storage/disk-fitness.ts';
import { DISKS_FOLDER, orderLines, readRecord } from '../../../../shared/services/storage/disk-order.ts';
import { strangeOn } from '../../../../shared/services/storage/disk-state.ts';
import { workOn } from '../../../../shared/services/storage/disk-work.ts';
import { mountFile } from '../../../../shared/services/storage/files.ts';
import { disksOf } from '../../../../shared/services/storage/inventory.ts';
import { mountVolumes } from '../../../../shared/services/storage/mounts.ts';
import { render } from '../../../../shared/services/storage/render.ts';
import { DiskMachine } from './disk-machine.ts';

const ROOT = '0c6a1d52-8f1e-4b9d-a1d7-5b1f0c2e9a11';
const OWN = '7b1f4c8e-3a52-4d19-9c61-0e8a5f2d7b43';
const BYTES = 4_294_967_296;
let machine: DiskMachine;
let records: string;

const carries = (uuid: string, type = 'xfs') => [`ID_FS_TYPE=${type}`, `ID_FS_UUID=${uuid}`];

beforeEach(() => {
  records = mkdtempSync(join(tmpdir(), 'groundcrew-records-'));
  machine = new DiskMachine();
  machine
    .disk({
      ...{ name: 'sda', number: '8:0', ids: ['scsi-root'] },
      parts: [{ name: 'sda1', number: '8:1', properties: carries(ROOT, 'ext4') }],
    })
    .disk({ name: 'sdb', number: '8:16', ids: ['scsi-own'], properties: carries(OWN) })
    .mount([['8:1', '/', '/dev/sda1']])
    .put('swaps', '');
});
afterEach(() => {
  machine.remove();
  rmSync(records, { recursive: true, force: true });
});

const copy = () => machine.disk({ name: 'sdc', number: '8:32', ids: ['scsi-copy'], properties: carries(OWN) });

const volumeOf = (id: string, uuid: string): DesiredVolume => ({
  ...{ name: 'v', device: `/dev/disk/by-id/${id}`, mount_path: '/srv/datastores/v' },
  filesystem: { kind: 'xfs', uuid, bytes: BYTES, fingerprint: 'f'.repeat(64) },
});
const stateOf = (volume: DesiredVolume): StorageDesired => ({
  settings: { enabled: true, hostname: '' },
  volumes: [volume],
  datastores: [],
});

function appliance(code: (args: readonly string[]) => number = () => 0) {
  const ran: string[] = [];
  const exec = async (program: string, args: string[]) => {
    ran.push([program, ...args].join(' '));
    return { code: code(args), stdout: 'loaded\n', stderr: '' };
  };
  const host = { kind: 'system', enforces: true, resolve: (path: string) => path, exec };
  return { host: host as unknown as Host, ran };
}

test('all that carry a UUID are told', async () => {
  expect(await carriersOf(ROOT, machine.seen)).toEqual([{ number: '8:1', name: 'sda1' }]);
  expect(await carriersOf(OWN, machine.seen)).toEqual([{ number: '8:16', name: 'sdb' }]);
});

describe('what root mounts', () => {
  const mount = (uuid: string) =>
    render(stateOf(volumeOf('scsi-own', uuid)), (path) => path, 'system').find(
      ({ path }) => path === mountFile('/srv/datastores/v'),
    )!;

  test('is a whole disk by its name, while the filesystem of the volume is seen', () => {
    const { path, content, mode } = mount(OWN);
    const device = `dev-disk-by\\x2duuid-${OWN.replaceAll('-', '\\x2d')}.device`;
    expect(content).toContain('What=/dev/disk/by-id/scsi-own\n');
    for (const word of ['Requires', 'After']) expect(content).toContain(`${word}=${device}\n`);
    expect(fileRefusal({ path, content, mode })).toBeNull();
  });

  test('is never what a UUID stands for: that may be the appliance’s own filesystem, or a copy', () => {
    const { path, content, mode } = mount(OWN);
    for (const what of [
      `/dev/disk/by-uuid/${ROOT}`,
      `/dev/disk/by-uuid/${OWN}`,
      `UUID=${ROOT}`,
      '/dev/disk/by-id/scsi-root-part1',
    ])
      expect(fileRefusal({ path, content: content.replace(/^What=.*$/m, `What=${what}`), mode })).not.toBeNull();
    for (const unit of ['sshd.service', 'dev-sda.device', `dev-disk-by\\x2duuid-${OWN}.device`])
      expect(
        fileRefusal({ path, content: content.replace(/^Requires=.*$/m, `Requires=${unit}`), mode }),
      ).not.toBeNull();
  });
});

describe('a copy of a volume’s disk', () => {
  test('is a fault before an apply, and keeps the volume from being mounted', async () => {
    const volume = volumeOf('scsi-own', OWN);
    expect((await check(appliance().host, stateOf(volume), machine.seen, records)).faults).toEqual([]);
    copy();
    const fault = /^The disk of the volume v has the same filesystem UUID as sdc: one is a copy/;
    expect((await check(appliance().host, stateOf(volume), machine.seen, records)).faults).toEqual([
      expect.stringMatching(fault),
    ]);
    const { host, ran } = appliance();
    const made = await mountVolumes(host, stateOf(volume), { inUse: [], touched: null }, machine.seen);
    expect(made).toMatchObject({
      lost: [volume.mount_path],
      said: [expect.stringMatching(/same filesystem UUID as sdc/)],
    });
    expect(ran.join('\n')).not.toMatch(/enable --now/);
  });

  test('is not mounted while the volume’s own disk is away', async () => {
    const volume = volumeOf('scsi-away', OWN);
    expect(await strangeOn(volume, machine.seen)).toMatch(/^is away, though sdb carries the filesystem/);
    const { host, ran } = appliance();
    expect((await mountVolumes(host, stateOf(volume), { inUse: [], touched: null }, machine.seen)).lost).toEqual([
      volume.mount_path,
    ]);
    expect(ran.join('\n')).not.toMatch(/enable --now/);
  });

  test('that was mounted all the same is unmounted at once', async () => {
    const { host, ran } = appliance((args) => {
      if (args[0] === 'enable') machine.mount([['8:32', '/srv/datastores/v', '/dev/sdc']]);
      return 0;
    });
    const made = await mountVolumes(
      host,
      stateOf(volumeOf('scsi-own', OWN)),
      { inUse: [], touched: null },
      machine.seen,
    );
    expect(made.said).toEqual([expect.stringMatching(/another disk was mounted/)]);
    expect(ran.at(-1)).toBe('systemctl stop srv-datastores-v.mount');
  });
});

test('a blank disk is not formatted with the UUID that another disk carries', async () => {
  machine.disk({ name: 'sdd', number: '1:5', ids: ['scsi-blank'] });
  // As blank as a disk can be.
  mkdirSync(join(machine.folder, 'dev'));
  symlinkSync('/dev/zero', join(machine.folder, 'dev/sdd'));
  const blank = (await disksOf(machine.seen)).find(({ name }) => name === 'sdd')!;
  const order = {
    ...volumeOf('scsi-blank', OWN).filesystem!,
    fingerprint: fingerprintOf(blank),
    at: '/srv/datastores/v',
  };
  const orders = join(machine.folder, DISKS_FOLDER);
  mkdirSync(orders, { recursive: true });
  writeFileSync(join(orders, `${OWN}.disk`), orderLines({ ...order, device: '/dev/disk/by-id/scsi-blank' }).join('\n'));
  const ran: string[] = [];
  const place = { orders, records, dev: join(machine.folder, 'dev'), seen: machine.seen };
  const exec = async (program: string) => {
    ran.push(program);
    return { code: 0, stdout: '', stderr: '' };
  };
  await expect(workOn('format', OWN, { ...place, exec })).rejects.toThrow(/same filesystem UUID as sdb/);
  expect(ran.filter((program) => program.startsWith('mkfs'))).toEqual([]);
  expect((await readRecord(OWN, records)).begun).toBe(false);
});
