// Which plan does the work on a disk that was ordered, and what stands in its way.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { activate } from '../../../../shared/services/storage/activate.ts';
import { check } from '../../../../shared/services/storage/check.ts';
import type { DesiredVolume, StorageDesired } from '../../../../shared/services/storage/desired.ts';
import { fingerprintOf } from '../../../../shared/services/storage/disk-fitness.ts';
import {
  NO_RECORD,
  orderLines,
  readOrder,
  workUnit,
  writeRecord,
} from '../../../../shared/services/storage/disk-order.ts';
import { growOrder } from '../../../../shared/services/storage/disk-orders.ts';
import { largerDisk } from '../../../../shared/services/storage/disk-state.ts';
import { drift } from '../../../../shared/services/storage/drift.ts';
import { disksOf } from '../../../../shared/services/storage/inventory.ts';
import { filesystemOn } from '../../../../shared/services/storage/known-filesystem.ts';
import { storageUnit } from '../../../../shared/services/storage/unit.ts';
import type { StorageVolume } from '../../../../shared/services/storage/volumes.ts';
import { DiskMachine } from './disk-machine.ts';

const UUID = '7b1f4c8e-3a52-4d19-9c61-0e8a5f2d7b43';
const CUT = '11111111-3a52-4d19-9c61-0e8a5f2d7b43';
const MADE = '22222222-3a52-4d19-9c61-0e8a5f2d7b43';
/** That nothing carries. */
const FRESH = '33333333-3a52-4d19-9c61-0e8a5f2d7b43';
const BYTES = 4_294_967_296;
const NONE = { before: null, after: new Map(), written: [], removed: [] };

let machine: DiskMachine;
let records: string;
let fingerprints: ReadonlyMap<string, string>;

beforeAll(async () => {
  machine = new DiskMachine();
  const carries = (uuid: string) => ['ID_FS_TYPE=xfs', `ID_FS_UUID=${uuid}`];
  machine
    .disk({ name: 'sdb', number: '8:16', ids: ['scsi-blank'] })
    .disk({ name: 'sdc', number: '8:32', ids: ['scsi-made', 'wwn-made'], properties: carries(MADE) })
    .disk({ name: 'sdd', number: '8:48', ids: ['scsi-cut'], properties: carries(CUT) })
    .disk({ name: 'sde', number: '8:64', ids: ['scsi-grew'], properties: carries(UUID), sectors: 16_777_216 })
    .mount([['8:64', '/srv/datastores/v', '/dev/sde']])
    .put('swaps', '');
  records = mkdtempSync(join(tmpdir(), 'groundcrew-records-'));
  fingerprints = new Map((await disksOf(machine.seen)).map((disk) => [disk.name, fingerprintOf(disk)]));
  const begun = { ...NO_RECORD, begun: true };
  await writeRecord(CUT, { ...begun, fingerprint: fingerprints.get('sdd')! }, records);
  await writeRecord(MADE, { ...begun, made: true, bytes: BYTES, fingerprint: fingerprints.get('sdc')! }, records);
});
afterAll(() => {
  machine.remove();
  rmSync(records, { recursive: true, force: true });
});

const stateOf = (id: string, name: string, uuid: string, ordered?: DesiredVolume['ordered']): StorageDesired => ({
  settings: { enabled: true, hostname: '' },
  volumes: [
    {
      ...{ name: 'v', device: `/dev/disk/by-id/${id}`, mount_path: '/srv/datastores/v' },
      filesystem: { kind: 'xfs', uuid, bytes: BYTES, fingerprint: fingerprints.get(name) ?? '' },
      ...(ordered && { ordered }),
    },
  ],
  datastores: [],
});

function appliance(code = 0) {
  const ran: string[] = [];
  const exec = async (program: string, args: string[]) => {
    ran.push([program, ...args].join(' '));
    const failed = args[0] === 'start' ? code : 0;
    return { code: failed, stdout: 'loaded\n', stderr: failed === 0 ? '' : 'Job failed\n' };
  };
  const host = {
    kind: 'system',
    enforces: true,
    resolve: (path: string) => path,
    exec,
    daemonRunning: async () => false,
  };
  return { host: host as unknown as Host, ran };
}

describe('the work on a disk', () => {
  const ordered = { work: 'grow', plan: 'plan_a' } as const;
  const start = `systemctl start ${workUnit('grow', MADE)}`;

  test.each<[string, string | undefined, boolean]>([
    ['the plan that it was ordered for', 'plan_a', true],
    ['another plan', 'plan_b', false],
    ['the way back', undefined, false],
  ])('is done by %s: %s', async (_what, plan_id, done) => {
    const { host, ran } = appliance();
    await activate(host, stateOf('scsi-made', 'sdc', MADE, ordered), NONE, machine.seen, { plan_id, records });
    expect(ran.includes(start)).toBe(done);
  });

  test('is not done for an order that no plan has yet, and is not remembered', async () => {
    const { host, ran } = appliance();
    const state = stateOf('scsi-made', 'sdc', MADE, { work: 'grow', plan: '' });
    await activate(host, state, NONE, machine.seen, { plan_id: 'plan_a', records });
    expect(ran).not.toContain(start);
    expect(storageUnit.remember(state).volumes[0]).not.toHaveProperty('ordered');
  });

  test('that was refused stops the apply before anything else, with its reason', async () => {
    const { host, ran } = appliance(1);
    const state = stateOf('scsi-blank', 'sdb', FRESH, { work: 'format', plan: 'plan_a' });
    await writeRecord(FRESH, { ...NO_RECORD, said: 'carries gpt' }, records);
    const made = activate(host, state, NONE, machine.seen, { plan_id: 'plan_a', records });
    await expect(made).rejects.toThrow('The disk of the volume v carries gpt.');
    expect(ran).toEqual([`systemctl start ${workUnit('format', FRESH)}`]);
    await writeRecord(FRESH, NO_RECORD, records);
  });
});

describe('before a plan, and once more in its run', () => {
  test.each<[string, () => StorageDesired, RegExp | null]>([
    ['a blank disk to be formatted', () => stateOf('scsi-blank', 'sdb', FRESH, { work: 'format', plan: '' }), null],
    [
      'a blank disk without an order',
      () => stateOf('scsi-blank', 'sdb', FRESH),
      /is blank, and its formatting is not ordered/,
    ],
    [
      'another disk than the ordered one',
      () => stateOf('scsi-blank', 'sdc', FRESH, { work: 'format', plan: '' }),
      /not the one that was reviewed/,
    ],
    [
      'an order for a disk that is away',
      () => stateOf('scsi-away', 'sdb', FRESH, { work: 'format', plan: '' }),
      /is away, so that nothing/,
    ],
    ['a disk that is away', () => stateOf('scsi-away', 'sdb', FRESH), null],
    ['the filesystem of the volume', () => stateOf('scsi-made', 'sdc', MADE), null],
    [
      'an order that was carried out already',
      () => stateOf('scsi-made', 'sdc', MADE, { work: 'format', plan: 'p' }),
      null,
    ],
    [
      'another filesystem',
      () => stateOf('scsi-made', 'sdc', FRESH),
      /carries xfs with the UUID 2222.*not the volume’s own/,
    ],
    [
      'an order for a disk that carries something',
      () => stateOf('scsi-made', 'sdc', FRESH, { work: 'format', plan: '' }),
      /only a blank disk/,
    ],
    ['half a filesystem', () => stateOf('scsi-cut', 'sdd', CUT), /formatting was cut off: order it anew/],
    [
      'half a filesystem that is ordered again',
      () => stateOf('scsi-cut', 'sdd', CUT, { work: 'format', plan: '' }),
      null,
    ],
  ])('%s', async (_what, state, fault) => {
    const { faults } = await check(appliance().host, state(), machine.seen, records);
    if (fault === null) expect(faults).toEqual([]);
    else expect(faults).toEqual([expect.stringMatching(fault)]);
  });
});

test('two volumes on one disk, by two of its names, are refused', async () => {
  const [volume] = stateOf('scsi-made', 'sdc', MADE).volumes;
  const other = { ...volume!, name: 'w', device: '/dev/disk/by-id/wwn-made', mount_path: '/srv/datastores/w' };
  const state = { ...stateOf('scsi-made', 'sdc', MADE), volumes: [volume!, other] };
  const { faults } = await check(appliance().host, state, machine.seen, records);
  expect(faults).toEqual(['The volumes v, w name the same disk: keep one of them.']);
});

test('a filesystem that does not fill its disk is drift', async () => {
  const told = await drift(appliance().host, stateOf('scsi-grew', 'sde', UUID), {}, machine.seen);
  expect(told).toEqual(['the disk of the volume v is larger (8 GiB) than its filesystem (4 GiB): grow it on its page']);
});

test('a volume is known by the filesystem that it finds', async () => {
  const on = (id: string) => filesystemOn(`/dev/disk/by-id/${id}`, machine.seen);
  expect(await on('scsi-made')).toMatchObject({ filesystem: 'xfs', filesystem_uuid: MADE });
  expect(await on('scsi-blank')).toBeNull();
  expect(await on('scsi-away')).toBeNull();
});

describe('a filesystem that others made', () => {
  const BLOCK = 4_096;
  const found = async (blocks: number | null) => {
    const other = new DiskMachine();
    const size = blocks === null ? [] : [`ID_FS_LASTBLOCK=${blocks}`, `ID_FS_BLOCKSIZE=${BLOCK}`];
    const properties = ['ID_FS_TYPE=xfs', `ID_FS_UUID=${MADE}`, ...size];
    other
      .disk({ name: 'sdb', number: '8:16', ids: ['scsi-theirs'], properties })
      .mount([])
      .put('swaps', '');
    try {
      const device = '/dev/disk/by-id/scsi-theirs';
      const known = (await filesystemOn(device, other.seen))!;
      other.mount([['8:16', '/srv/datastores/v', '/dev/sdb']]);
      const [disk] = await disksOf(other.seen);
      const volume = { ...{ name: 'v', device, mount_path: '/srv/datastores/v' }, ...known } as StorageVolume;
      const [desired] = stateOf('scsi-theirs', '', MADE).volumes;
      const filesystem = { ...desired!.filesystem!, bytes: known.filesystem_bytes };
      const larger = await largerDisk({ ...desired!, filesystem }, other.seen, records.concat('-none'));
      const lines = orderLines({ ...filesystem, device, at: volume.mount_path, fingerprint: known.disk_fingerprint });
      expect(readOrder(lines.join('\n')).bytes).toBe(known.filesystem_bytes);
      return {
        bytes: known.filesystem_bytes,
        grow: () => growOrder(volume, { disk: disk!, record: NO_RECORD }),
        larger,
      };
    } finally {
      other.remove();
    }
  };

  test('and that fills its disk is not to be grown, also where its last blocks are no group of their own', async () => {
    for (const blocks of [BYTES / BLOCK, BYTES / BLOCK - 4_095]) {
      const { bytes, grow, larger } = await found(blocks);
      expect([bytes, larger]).toEqual([BYTES, null]);
      expect(grow).toThrow(/is not larger than its filesystem/);
    }
  });

  test('for a smaller disk is to be grown, and that is drift', async () => {
    for (const blocks of [BYTES / BLOCK - 4_096, 16_384]) {
      const { bytes, grow, larger } = await found(blocks);
      expect(bytes).toBe(blocks * BLOCK);
      expect(larger).toEqual({ disk: BYTES, filesystem: bytes });
      expect(grow()).toMatchObject({ filesystem_bytes: BYTES, ordered_work: 'grow' });
    }
  });

  test('may be grown where nobody tells its size, and is no drift', async () => {
    const { bytes, grow, larger } = await found(null);
    expect([bytes, larger]).toEqual([0, null]);
    expect(grow()).toMatchObject({ filesystem_bytes: BYTES, ordered_work: 'grow' });
  });
});
