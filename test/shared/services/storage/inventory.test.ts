// What is told of the disks of a machine, and which of them can take a volume.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fitnessOf } from '../../../../shared/services/storage/disk-fitness.ts';
import { type Disk, diskNamed, disksOf } from '../../../../shared/services/storage/inventory.ts';
import { DiskMachine } from './disk-machine.ts';

let machine: DiskMachine;
let disks: ReadonlyMap<string, Disk>;

beforeAll(async () => {
  machine = new DiskMachine();
  machine
    .disk({ name: 'sda', number: '8:0', ids: ['ata-system'], parts: [{ name: 'sda1', number: '8:1' }] })
    .disk({
      name: 'sdb',
      number: '8:16',
      ids: ['scsi-0QEMU_DISK', 'wwn-0x5000'],
      properties: ['ID_MODEL=QEMU_HARDDISK  ', 'ID_SERIAL_SHORT=SN 1', 'ID_WWN=0x5000'],
    })
    .disk({ name: 'sdc', number: '8:32', ids: ['scsi-xfs'], properties: ['ID_FS_TYPE=xfs', 'ID_FS_UUID=u-1'] })
    .disk({ name: 'sdd', number: '8:48', ids: ['scsi-table'], properties: ['ID_PART_TABLE_TYPE=gpt'] })
    .disk({ name: 'sde', number: '8:64', ids: ['scsi-pv'], properties: ['ID_FS_TYPE=LVM2_member'], holders: ['dm-0'] })
    .disk({ name: 'sdf', number: '8:80', ids: ['scsi-swap'] })
    .disk({ name: 'sdg', number: '8:96', ids: ['scsi-small'], sectors: 2_048 })
    .disk({ name: 'sdh', number: '8:112', ids: ['scsi-locked'], read_only: true })
    .disk({ name: 'sdi', number: '8:128' })
    .disk({ name: 'sdj', number: '8:144', ids: ['scsi-mounted'], properties: ['ID_FS_TYPE=xfs', 'ID_FS_UUID=u-2'] })
    .disk({ name: 'sdk', number: '8:160', ids: ['scsi-both'], properties: ['ID_FS_AMBIVALENT=filesystem:ext4 xfs'] })
    .disk({ name: 'sdl', number: '8:176', ids: ['scsi-twice'] })
    .disk({ name: 'sdm', number: '8:192', ids: ['scsi-twice'] })
    .disk({ name: 'dm-0', number: '253:0', ids: ['dm-name-var'] })
    .disk({ name: 'sr0', number: '11:0', ids: ['ata-cd'], properties: ['ID_CDROM=1'] })
    .mount([
      ['8:1', '/', '/dev/sda1'],
      ['253:0', '/var', '/dev/mapper/var'],
      ['8:144', '/srv/datastores/old', '/dev/sdj'],
    ])
    .put('swaps', 'Filename Type Size Used Priority\n/dev/sdf partition 1 0 -2\n');
  disks = new Map((await disksOf(machine.seen)).map((disk) => [disk.name, disk]));
});
afterAll(() => machine.remove());

test('it is told by its stable names, the maker’s first, with size, model and serial number', () => {
  expect(disks.get('sdb')).toEqual({
    name: 'sdb',
    number: '8:16',
    ids: ['/dev/disk/by-id/wwn-0x5000', '/dev/disk/by-id/scsi-0QEMU_DISK'],
    bytes: 4_294_967_296,
    model: 'QEMU HARDDISK',
    serial: 'SN 1',
    wwn: '0x5000',
    read_only: false,
    contents: [],
    partitions: [],
    mounts: [],
    swap: false,
    holders: [],
  });
  expect([...disks.keys()]).not.toContain('dm-0');
  expect([...disks.keys()]).not.toContain('sr0');
});

test.each([
  ['sda', /^is in use by the appliance itself, at \/$/],
  ['sdd', /^carries gpt$/],
  ['sde', /^is in use by the appliance itself, at \/var$/],
  ['sdf', /as swap$/],
  ['sdg', /smaller than 300 MiB/],
  ['sdh', /read-only/],
  ['sdi', /no name below \/dev\/disk\/by-id/],
  ['sdj', /^is mounted at \/srv\/datastores\/old$/],
  ['sdk', /^carries several filesystems at once$/],
])('%s can take no volume, and it says why', (name, why) => {
  const found = fitnessOf(disks.get(name)!);
  expect(found).toMatchObject({ fit: 'no', why: expect.stringMatching(why) });
});

test('a blank one can be formatted, and one with a filesystem be mounted', () => {
  expect(fitnessOf(disks.get('sdb')!)).toEqual({ fit: 'blank', why: null });
  expect(fitnessOf(disks.get('sdc')!)).toEqual({ fit: 'filesystem', why: null });
});

test('a name that two disks go by is none', () => {
  const all = [...disks.values()];
  expect(diskNamed(all, '/dev/disk/by-id/scsi-xfs')?.name).toBe('sdc');
  expect(diskNamed(all, '/dev/disk/by-id/scsi-twice')).toBeNull();
  expect(diskNamed(all, '/dev/disk/by-id/scsi-away')).toBeNull();
});
