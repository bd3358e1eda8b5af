// No disk that carries anything is ever formatted, whoever asks and whatever changed since: over generated disks.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fileRefusal, programRefusal } from '../../../../shared/appliance/host-guard.ts';
import type { StorageDesired } from '../../../../shared/services/storage/desired.ts';
import {
  type Filesystem,
  fingerprintOf,
  formatFault,
  growFault,
} from '../../../../shared/services/storage/disk-fitness.ts';
import type { Look } from '../../../../shared/services/storage/disk-look.ts';
import {
  type DiskOrder,
  type DiskRecord,
  diskFile,
  orderLines,
  readOrder,
  readRecord,
  workUnit,
  writeRecord,
} from '../../../../shared/services/storage/disk-order.ts';
import { formatOrder, growOrder, requireName } from '../../../../shared/services/storage/disk-orders.ts';
import { formatRefusal, makeArguments } from '../../../../shared/services/storage/disk-work.ts';
import { facts } from '../../../../shared/services/storage/facts.ts';
import { impact } from '../../../../shared/services/storage/impact.ts';
import type { Disk } from '../../../../shared/services/storage/inventory.ts';
import { render } from '../../../../shared/services/storage/render.ts';
import type { StorageVolume } from '../../../../shared/services/storage/volumes.ts';

const UUID = '7b1f4c8e-3a52-4d19-9c61-0e8a5f2d7b43';
const OTHER = 'aaaaaaaa-3a52-4d19-9c61-0e8a5f2d7b43';
const DEVICE = '/dev/disk/by-id/scsi-1';
const BLANK: Disk = {
  ...{ name: 'sdb', number: '8:16', ids: [DEVICE], bytes: 2 ** 32, model: 'M', serial: 'S', wwn: '' },
  ...{ read_only: false, contents: [], partitions: [], mounts: [], swap: false, holders: [] },
};
const FILESYSTEM: Filesystem = { kind: 'xfs', uuid: UUID, bytes: 2 ** 32, fingerprint: fingerprintOf(BLANK) };
const ORDER: DiskOrder = { ...FILESYSTEM, device: DEVICE, at: '/srv/datastores/v' };
const look = (disk: Partial<Disk> = {}, more: Partial<Look> = {}): Look => ({
  ...{ disk: { ...BLANK, ...disk }, node: '/dev/sdb', zero: true, free: true },
  ...more,
});
const NEVER: DiskRecord = { begun: false, made: false, bytes: 0, fingerprint: '', said: '' };
const BEGUN: DiskRecord = { ...NEVER, begun: true, fingerprint: FILESYSTEM.fingerprint };
/** The same work, begun on another disk. */
const ELSEWHERE: DiskRecord = { ...BEGUN, fingerprint: 'f'.repeat(64) };

const anyContent = fc.record({
  type: fc.constantFrom('xfs', 'ext4', 'gpt', 'dos', 'LVM2_member', 'crypto_LUKS', 'VMFS_volume_member', 'zfs_member'),
  uuid: fc.constantFrom('', UUID, OTHER),
});
/** Mostly nothing, so that enough of them are blank. */
const seldom = <T>(some: T, nothing: T): fc.Arbitrary<T> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(nothing) }, { weight: 1, arbitrary: fc.constant(some) });
const anyUse = fc.record({
  contents: fc.array(anyContent, { maxLength: 3, size: 'small' }),
  partitions: seldom([{ name: 'sdb1', bytes: 1, content: null }], []),
  mounts: fc.oneof(seldom(['/'], []), seldom(['/srv/datastores/v'], [])),
  holders: seldom(['dm-0'], []),
  swap: seldom(true, false),
  read_only: seldom(true, false),
});
const carries = ({ contents, partitions, mounts, holders, swap }: Disk): boolean =>
  contents.length + partitions.length + mounts.length + holders.length > 0 || swap;
const isOwn = (disk: Disk): boolean =>
  !carries({ ...disk, contents: [] }) &&
  disk.contents.length === 1 &&
  disk.contents[0]!.type === 'xfs' &&
  disk.contents[0]!.uuid === UUID;

describe('over any disk', () => {
  test('one that carries anything is not formatted; of one that was begun only its own beginning is no hindrance', () => {
    let made = 0;
    fc.assert(
      fc.property(anyUse, fc.boolean(), fc.boolean(), fc.boolean(), (use, zero, free, begun) => {
        const { disk } = look(use);
        const refusal = formatRefusal(ORDER, look(use, { zero, free }), begun ? BEGUN : NEVER);
        const may = (!carries(disk) ? zero : begun && isOwn(disk)) && free && !disk.read_only;
        made += Number(may);
        expect(refusal === null).toBe(may);
      }),
      { numRuns: 4_000 },
    );
    expect(made).toBeGreaterThan(20);
  });

  test('nor is another disk than the reviewed one, in whatever it differs', () => {
    const anyOther = fc.oneof(
      fc.record({ ids: fc.constantFrom([], ['/dev/disk/by-id/scsi-2'], [DEVICE, '/dev/disk/by-id/wwn-1']) }),
      fc.record({ bytes: fc.integer({ min: 0, max: 2 ** 40 }).filter((bytes) => bytes !== BLANK.bytes) }),
      fc.record({ model: fc.string().filter((text) => text !== 'M') }),
      fc.record({ serial: fc.string().filter((text) => text !== 'S') }),
      fc.record({ wwn: fc.string({ minLength: 1 }) }),
    );
    fc.assert(
      fc.property(anyOther, fc.boolean(), (other, begun) => {
        expect(formatRefusal(ORDER, look(other as Partial<Disk>), begun ? BEGUN : NEVER)).toMatch(
          /not the disk that was reviewed/,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test('what was ordered is what root is told, and nothing else passes its grammar', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(5), (text, at) => {
        const lines = orderLines(ORDER);
        expect(readOrder(lines.join('\n'))).toEqual(ORDER);
        const damaged = lines.with(at, `${lines[at]!.split('=')[0]}=${text}`).join('\n');
        const passes = fileRefusal({ path: diskFile(UUID), content: damaged, mode: 0o644 }) === null;
        if (passes) expect(() => readOrder(damaged)).not.toThrow();
        else expect(passes).toBe(false);
        // No word of a person: neither a blank nor an option.
        if (passes) expect(damaged).not.toMatch(/[ ;`$]|=-/);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('right before', () => {
  test.each<[string, Look, DiskRecord, RegExp | null]>([
    ['blank', look(), NEVER, null],
    ['data without a signature', look({}, { zero: false }), NEVER, /data in its first or last MiB/],
    ['somebody has it for himself', look({}, { free: false }), NEVER, /in use/],
    [
      'the own filesystem, though none was begun',
      look({ contents: [{ type: 'xfs', uuid: UUID }] }),
      NEVER,
      /carries xfs/,
    ],
    ['half of the own filesystem', look({ contents: [{ type: 'xfs', uuid: UUID }] }, { zero: false }), BEGUN, null],
    [
      'a whole filesystem with the UUID of one that was begun on another disk',
      look({ contents: [{ type: 'xfs', uuid: UUID }] }, { zero: false }),
      ELSEWHERE,
      /carries xfs/,
    ],
    ['another filesystem meanwhile', look({ contents: [{ type: 'xfs', uuid: OTHER }] }), BEGUN, /carries xfs/],
    ['the UUID on another kind', look({ contents: [{ type: 'ext4', uuid: UUID }] }), BEGUN, /carries ext4/],
    [
      'something beside the own one',
      look({
        contents: [
          { type: 'xfs', uuid: UUID },
          { type: 'gpt', uuid: '' },
        ],
      }),
      BEGUN,
      /carries gpt/,
    ],
  ])('%s', (_name, seen, record, refusal) => {
    const found = formatRefusal(ORDER, seen, record);
    if (refusal === null) expect(found).toBeNull();
    else expect(found).toMatch(refusal);
  });

  test('the programs get nothing but what was chosen here, and force only over an own beginning', () => {
    expect(makeArguments(ORDER, '/dev/sdb', false)).toEqual([
      'mkfs.xfs',
      ['-q', '-K', '-m', `uuid=${UUID}`, '/dev/sdb'],
    ]);
    expect(makeArguments(ORDER, '/dev/sdb', true)[1]).toContain('-f');
    expect(makeArguments({ ...ORDER, kind: 'ext4' }, '/dev/sdb', false)[1].join(' ')).toBe(
      `-q -m 0 -E nodiscard -U ${UUID} /dev/sdb`,
    );
  });
});

const VOLUME = {
  ...{ id: 'vol_1', name: 'lab', device: DEVICE, mount_path: '/srv/datastores/lab', revision: 1, enabled: true },
  ...{ filesystem: '', filesystem_uuid: '', filesystem_bytes: 0, disk_fingerprint: '', ordered_work: '' },
} as unknown as StorageVolume;
const entropy = { bytes: (count: number) => Buffer.alloc(count, 0xff) };
const NONE = NEVER;
const HALF = BEGUN;
const MADE = { ...BEGUN, made: true, bytes: 2 ** 32 };

describe('an order', () => {
  test('needs the name, typed exactly', () => {
    expect(() => requireName(VOLUME, 'lab')).not.toThrow();
    for (const typed of ['', 'Lab', 'lab ', 'other']) expect(() => requireName(VOLUME, typed)).toThrow(/Type the name/);
  });

  test('chooses the UUID, and keeps which disk it was', () => {
    expect(formatOrder(VOLUME, 'xfs', { disk: BLANK, record: NONE }, entropy)).toEqual({
      filesystem: 'xfs',
      filesystem_uuid: 'ffffffff-ffff-4fff-bfff-ffffffffffff',
      filesystem_bytes: 2 ** 32,
      disk_fingerprint: fingerprintOf(BLANK),
      ordered_work: 'format',
    });
  });

  test('of a format that was cut off keeps the UUID, so that its beginning is known', () => {
    const begun = { ...VOLUME, filesystem: 'xfs', filesystem_uuid: UUID } as StorageVolume;
    const disk = { ...BLANK, contents: [{ type: 'xfs', uuid: UUID }] };
    expect(formatOrder(begun, 'xfs', { disk, record: HALF }, entropy).filesystem_uuid).toBe(UUID);
    for (const [kind, record] of [
      ['xfs', MADE],
      ['xfs', NONE],
      ['ext4', HALF],
      ['xfs', ELSEWHERE],
    ] as const) {
      expect(() => formatOrder(begun, kind, { disk, record }, entropy)).toThrow(/Only a blank disk is formatted/);
    }
  });

  test('is refused for a disk that is away, and whatever carries something', () => {
    expect(() => formatOrder(VOLUME, 'xfs', { disk: null, record: NONE }, entropy)).toThrow(/is away/);
    fc.assert(
      fc.property(anyUse, (use) => {
        const disk = { ...BLANK, ...use };
        fc.pre(carries(disk));
        expect(formatFault(disk)).not.toBeNull();
        expect(() => formatOrder(VOLUME, 'xfs', { disk, record: NONE }, entropy)).toThrow();
      }),
    );
  });

  test('to grow needs an own filesystem, mounted, on a disk that grew', () => {
    const own = { ...VOLUME, filesystem: 'xfs', filesystem_uuid: UUID, filesystem_bytes: 2 ** 32 } as StorageVolume;
    const disk = { ...BLANK, bytes: 2 ** 33, contents: [{ type: 'xfs', uuid: UUID }], mounts: [own.mount_path] };
    expect(growOrder(own, { disk, record: MADE })).toMatchObject({ filesystem_bytes: 2 ** 33, ordered_work: 'grow' });
    expect(() => growOrder(VOLUME, { disk, record: NONE })).toThrow(/is not known/);
    expect(() => growOrder(own, { disk: { ...disk, bytes: 2 ** 32 }, record: MADE })).toThrow(/not larger/);
    expect(() => growOrder(own, { disk: { ...disk, mounts: [] }, record: MADE })).toThrow(/not mounted/);
    expect(growFault({ ...disk, contents: [] }, FILESYSTEM, own.mount_path)).toMatch(/blank/);
  });
});

describe('a plan', () => {
  const state = (work?: 'format' | 'grow'): StorageDesired => ({
    settings: { enabled: true, hostname: '' },
    volumes: [
      {
        ...{ name: 'lab', device: DEVICE, mount_path: '/srv/datastores/lab', filesystem: FILESYSTEM },
        ...(work && { ordered: { work, plan: '' } }),
      },
    ],
    datastores: [],
  });

  test('names the disk, the filesystem and its UUID, and is of high risk', () => {
    const change = { before: null, after: facts(state('format')), written: [], removed: [] };
    const { says, risk } = impact(change, state('format'));
    expect(risk).toBe('high');
    expect(says.join('\n')).toMatch(
      new RegExp(`${DEVICE} of 4 GiB is formatted with xfs \\(UUID ${UUID}\\) for the volume lab`),
    );
    expect(impact(change, state()).says.join('\n')).not.toMatch(/formatted with/);
  });

  test('has root’s file of the disk and the mount, and both pass the guard', () => {
    const files = render(state('format'), (path) => path, 'system');
    expect(files.map(({ path }) => path)).toContain(diskFile(UUID));
    expect(files.map(({ content }) => content).join('')).toContain(`What=${DEVICE}\n`);
    for (const file of files) expect([file.path, fileRefusal(file)]).toEqual([file.path, null]);
    // The order itself is in no file: it ends with its plan, and the files stay.
    expect(render(state(), (path) => path, 'system')).toEqual(files);
  });

  test('starts the work by its name alone', () => {
    for (const work of ['format', 'grow'] as const) {
      expect(programRefusal('systemctl', ['start', workUnit(work, UUID)])).toBeNull();
    }
    for (const args of [
      ['start', 'groundcrew-disk@wipe-x.service'],
      ['start', `groundcrew-disk@format-${UUID}.service`, 'sshd.service'],
      ['start', `groundcrew-disk@format-${UUID}-x.service`],
      ['restart', workUnit('format', UUID)],
    ]) {
      expect(programRefusal('systemctl', args)).not.toBeNull();
    }
    for (const program of ['mkfs.xfs', 'mkfs.ext4', 'wipefs', 'dd', 'xfs_growfs']) {
      expect(programRefusal(program, ['/dev/sdb'])).not.toBeNull();
    }
  });
});

test('root’s record outlives a power cut, and one that can’t be read is not taken for none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-record-'));
  try {
    expect(await readRecord(UUID, folder)).toEqual(NONE);
    await writeRecord(UUID, HALF, folder);
    expect(await readRecord(UUID, folder)).toEqual(HALF);
    await expect(readRecord(UUID, join(folder, `${UUID}.json`))).rejects.toThrow(/can’t be read/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
