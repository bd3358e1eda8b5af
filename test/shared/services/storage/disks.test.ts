// Which disks may be volumes: none that the appliance itself runs from, by whatever name. udev's and the kernel's files are laid
// out in a folder.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { check } from '../../../../shared/services/storage/check.ts';
import { deviceFault, mountedAt, type Seen } from '../../../../shared/services/storage/disks.ts';

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
