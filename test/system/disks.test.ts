// Disks for real (needs root): blank ones are formatted by the plan that was reviewed for them, none that carries anything, and
// filesystems grow.
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { execProgram } from '../../shared/ground/machine/exec.ts';
import { fingerprintOf } from '../../shared/services/storage/disk-fitness.ts';
import type { Exec } from '../../shared/services/storage/disk-look.ts';
import {
  DISKS_FOLDER,
  NO_RECORD,
  orderLines,
  readRecord,
  writeRecord,
} from '../../shared/services/storage/disk-order.ts';
import { workOn } from '../../shared/services/storage/disk-work.ts';
import { SEEN } from '../../shared/services/storage/disks.ts';
import { diskNamed, disksOf } from '../../shared/services/storage/inventory.ts';
import { until } from '../setup/until.ts';
import {
  api,
  between,
  disk,
  drift,
  fitOf,
  folder,
  LARGER,
  type Loop,
  loops,
  mounted,
  must,
  place,
  plan,
  records,
  resolve,
  run,
  SIZE,
  SLOW,
  submit,
  udev,
  volume,
} from './disks-scene.ts';

/** Milliseconds that a namespace of another file of tests may live. */
const COPIED = 400_000;

describe('a blank disk', () => {
  let one: Loop;
  let id: string;

  beforeAll(async () => {
    one = disk();
    id = await volume('one', one);
  });

  test('is told as such, and can’t be formatted without the typed name', async () => {
    expect(await fitOf(one)).toMatchObject({ fit: 'blank', obstacle: null, bytes: SIZE, volume: { name: 'one' } });
    const refused = await api('POST', `volumes/${id}/format`, { confirm: 'two' });
    expect([refused.status, refused.errors[0].pointer]).toEqual([422, '/confirm']);
  });

  test(
    'is formatted by the plan that the order belongs to, and mounted; the order is gone with it',
    async () => {
      const ordered = await api('POST', `volumes/${id}/format`, { confirm: 'one' });
      expect(ordered).toMatchObject({ status: 200, filesystem: 'xfs', ordered_work: 'format', filesystem_bytes: SIZE });
      const reviewed = await plan();
      expect(reviewed.units[0]).toMatchObject({ risk: 'high', check: { ok: true } });
      expect(reviewed.units[0]!.says.join()).toMatch(/is formatted with xfs/);
      const { state, said } = await submit(reviewed);
      expect([state, said]).toEqual(['succeeded', expect.stringMatching(/Volume one was formatted/)]);
      expect(must('blkid', '-p', '-s', 'UUID', '-o', 'value', one.node)).toBe(ordered.filesystem_uuid);
      expect(must('findmnt', '-no', 'FSTYPE', `${place}-one`)).toBe('xfs');
      writeFileSync(`${place}-one/payload`, 'x');
      expect(await api('GET', `volumes/${id}`)).toMatchObject({ ordered_work: '', filesystem: 'xfs' });
      expect(await drift()).toBe('[{"lines":[]}]');
    },
    SLOW,
  );

  test(
    'is not formatted again, by whatever plan',
    async () => {
      expect((await submit(await plan())).state).toBe('succeeded');
      expect(await readFile(`${place}-one/payload`, 'utf8')).toBe('x');
      const refused = await api('POST', `volumes/${id}/format`, { confirm: 'one' });
      expect([refused.status, refused.detail]).toEqual([
        409,
        expect.stringMatching(/is mounted at .*nothing is wiped/),
      ]);
    },
    SLOW,
  );

  test(
    'that grew is drift, and grows by a plan, while it is mounted',
    async () => {
      expect((await api('POST', `volumes/${id}/grow`, { confirm: 'one' })).detail).toMatch(/not larger/);
      truncateSync(one.file, LARGER);
      must('losetup', '-c', one.node);
      expect(await drift()).toMatch(
        /the disk of the volume one is larger \(0\.7 GiB\) than its filesystem \(0\.4 GiB\)/,
      );
      const before = Number(must('stat', '-f', '-c', '%b', `${place}-one`));
      expect(await api('POST', `volumes/${id}/grow`, { confirm: 'one' })).toMatchObject({ ordered_work: 'grow' });
      const reviewed = await plan();
      expect(reviewed.units[0]!.says.join()).toMatch(/filesystem of the volume one grows to the 0\.7 GiB/);
      expect(await submit(reviewed)).toMatchObject({ state: 'succeeded' });
      expect(Number(must('stat', '-f', '-c', '%b', `${place}-one`))).toBeGreaterThan(before * 1.5);
      expect(await readFile(`${place}-one/payload`, 'utf8')).toBe('x');
      expect(await drift()).toBe('[{"lines":[]}]');
    },
    SLOW,
  );
});

/** A partition table of DOS with one partition of 2 MiB behind the first. */
function partition(node: string): void {
  const table = Buffer.alloc(512);
  table.set([0, 0, 33, 0, 0x83, 0, 33, 0], 446);
  table.writeUInt32LE(2_048, 454);
  table.writeUInt32LE(4_096, 458);
  table.set([0x55, 0xaa], 510);
  const disk = openSync(node, 'r+');
  writeSync(disk, table, 0, 512, 0);
  closeSync(disk);
}

describe('a disk that carries something', () => {
  test(
    'is refused when it is ordered, by its name',
    async () => {
      const two = disk();
      must('mkfs.ext4', '-q', two.node);
      udev(two);
      const id = await volume('two', two);
      expect(await fitOf(two)).toMatchObject({ fit: 'filesystem' });
      const refused = await api('POST', `volumes/${id}/format`, { confirm: 'two' });
      expect([refused.status, refused.detail]).toEqual([409, expect.stringMatching(/volume two carries ext4/)]);
    },
    SLOW,
  );

  test.each<[string, (disk: Loop) => void, RegExp]>([
    ['a filesystem', ({ node }) => void must('mkfs.ext4', '-q', node), /carries ext4/],
    ['a partition table', ({ node }) => partition(node), /carries dos/],
    [
      'data without a signature',
      ({ node }) => void must('sh', '-c', `echo data | dd of=${node} bs=1 seek=5000 conv=notrunc`),
      /first or last MiB/,
    ],
    [
      'data at its end',
      ({ node }) => void must('sh', '-c', `echo data | dd of=${node} bs=1 seek=${SIZE - 100} conv=notrunc`),
      /first or last MiB/,
    ],
    [
      'another size',
      ({ file, node }) => void must('sh', '-c', `truncate -s ${LARGER} ${file}; losetup -c ${node}`),
      /not the disk that was reviewed/,
    ],
  ])(
    'by the time of the apply stops the plan: %s',
    async (_what, change, why) => {
      const other = disk();
      const id = await volume('two', other);
      const { filesystem_uuid } = await api('POST', `volumes/${id}/format`, { confirm: 'two', filesystem: 'ext4' });
      const reviewed = await plan();
      expect(reviewed.units[0]!.check!.faults).toEqual([]);
      // Between the last look of the service and root's own.
      between.work = () => change(other);
      const { state, said } = await submit(reviewed);
      expect([state, said]).toEqual(['failed', expect.stringMatching(why)]);
      expect(run('blkid', '-p', '-s', 'UUID', '-o', 'value', other.node).stdout).not.toContain(filesystem_uuid);
      expect((await readRecord(filesystem_uuid, records)).begun).toBe(false);
      // The order ended with the plan: the next one does nothing with the disk.
      expect(await api('GET', `volumes/${id}`)).toMatchObject({ ordered_work: '' });
      expect((await plan()).units[0]!.check!.ok).toBe(false);
    },
    SLOW,
  );
});

test(
  'a disk that changed between the review and the apply stops the plan before anything is touched',
  async () => {
    const other = disk();
    const id = await volume('two', other);
    await api('POST', `volumes/${id}/format`, { confirm: 'two' });
    const reviewed = await plan();
    must('mkfs.xfs', '-q', other.node);
    udev(other);
    const { state, said } = await submit(reviewed);
    expect([state, said]).toEqual(['failed', expect.stringMatching(/volume two carries xfs .*only a blank disk/)]);
  },
  SLOW,
);

/** What root writes down before the first byte. */
const begunOn = async ({ id }: Loop) => ({
  ...NO_RECORD,
  begun: true,
  fingerprint: fingerprintOf(diskNamed(await disksOf(SEEN), `/dev/disk/by-id/${id}`)!),
});

/** Growing a mounted ext4 takes CAP_SYS_RESOURCE (24 of capabilities(7)), which root in a container may lack. */
const mayGrow = async (): Promise<boolean> => {
  const [, effective = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(await readFile('/proc/self/status', 'utf8')) ?? [];
  return ((BigInt(`0x${effective}`) >> 24n) & 1n) === 1n;
};

describe('a format that was cut off', () => {
  let grown: { disk: string; volume: string; uuid: string };

  test(
    'is begun again while nothing but its own beginning stands there',
    async () => {
      const three = disk();
      const id = await volume('three', three);
      const { filesystem_uuid: uuid } = await api('POST', `volumes/${id}/format`, {
        confirm: 'three',
        filesystem: 'ext4',
      });
      const reviewed = await plan();
      between.work = () => {
        // Begun by an earlier run of the same plan, whose power was cut.
        must('mkfs.ext4', '-q', '-U', uuid, three.node);
      };
      const begun = await begunOn(three);
      await writeRecord(uuid, begun, records);
      expect(await submit(reviewed)).toMatchObject({ state: 'succeeded' });
      expect(await readRecord(uuid, records)).toEqual({ ...begun, made: true, bytes: SIZE });
      expect(must('findmnt', '-no', 'FSTYPE', `${place}-three`)).toBe('ext4');
      grown = { disk: three.id, volume: id, uuid };
    },
    SLOW,
  );

  test(
    'and carries ext4 then grows with its disk, while it is mounted, and keeps its data',
    async () => {
      const three = loops.find(({ id }) => id === grown.disk)!;
      const at = `${place}-three`;
      writeFileSync(`${at}/payload`, 'x'.repeat(100_000));
      truncateSync(three.file, LARGER);
      must('losetup', '-c', three.node);
      expect(await drift()).toMatch(/the disk of the volume three is larger \(0\.7 GiB\)/);
      const before = Number(must('stat', '-f', '-c', '%b', at));
      expect(await api('POST', `volumes/${grown.volume}/grow`, { confirm: 'three' })).toMatchObject({
        ordered_work: 'grow',
      });
      // Grown by resize2fs(8): of the disk, not of the place.
      const { state, said } = await submit(await plan());
      const after = Number(must('stat', '-f', '-c', '%b', at));
      expect(await readFile(`${at}/payload`, 'utf8')).toBe('x'.repeat(100_000));
      if (!(await mayGrow())) {
        // The appliance's service has the right; where root has not, the reason is told, and nothing changed.
        expect([state, said]).toEqual([
          'failed',
          expect.stringMatching(/could not be grown: Permission denied to resize/),
        ]);
        expect(after).toBe(before);
        return;
      }
      expect([state, said]).toEqual(['succeeded', expect.stringMatching(/Volume three fills its disk/)]);
      expect(after).toBeGreaterThan(before * 1.5);
      expect(await drift()).toBe('[{"lines":[]}]');
      // Once more it fills its disk already.
      const shop = { orders: resolve(DISKS_FOLDER), records, dev: '/dev', seen: SEEN, exec: execProgram };
      expect(await workOn('grow', grown.uuid, shop)).toBe('fills its disk now');
      expect((await api('POST', `volumes/${grown.volume}/grow`, { confirm: 'three' })).detail).toMatch(/not larger/);
    },
    SLOW,
  );

  test(
    'is not, over what somebody else made there meanwhile',
    async () => {
      const other = disk();
      const id = await volume('two', other);
      const { filesystem_uuid: uuid } = await api('POST', `volumes/${id}/format`, { confirm: 'two' });
      const reviewed = await plan();
      await writeRecord(uuid, await begunOn(other), records);
      between.work = () => void must('mkfs.xfs', '-q', '-f', other.node);
      const { state, said } = await submit(reviewed);
      expect([state, said]).toEqual(['failed', expect.stringMatching(/carries xfs with the UUID/)]);
    },
    SLOW,
  );
});

test.each(['xfs', 'ext4'] as const)(
  'killed at any moment, mkfs of %s leaves a disk that is formatted when it is begun again, or that is refused',
  async (kind) => {
    const ends: string[] = [];
    for (const limit of [1, 3, 6, 10, 15, 25, 40]) {
      const cut = disk();
      const found = diskNamed(await disksOf(SEEN), `/dev/disk/by-id/${cut.id}`)!;
      const uuid = randomUUID();
      const order = {
        device: found.ids[0]!,
        at: `${place}-cut`,
        kind,
        uuid,
        bytes: SIZE,
        fingerprint: fingerprintOf(found),
      };
      writeFileSync(join(folder, `${uuid}.disk`), orderLines(order).join('\n'));
      const shop = { orders: folder, records, dev: '/dev', seen: SEEN };
      const killed: Exec = (program, args) =>
        execProgram(program, args, program.startsWith('mkfs') ? { timeout: limit } : {});
      await workOn('format', uuid, { ...shop, exec: killed }).catch(() => undefined);
      udev(cut);
      const end = await workOn('format', uuid, { ...shop, exec: execProgram }).catch((error: Error) => error.message);
      ends.push(end.split(' ').slice(0, 3).join(' '));
      const { made } = await readRecord(uuid, records);
      const stands = run('blkid', '-p', '-s', 'UUID', '-o', 'value', cut.node).stdout.trim();
      if (made) expect(stands).toBe(uuid);
      else expect(end).toMatch(/first or last MiB/);
    }
    expect(ends.filter((end) => /^(?:carries|was formatted)/.test(end)).length).toBeGreaterThan(0);
  },
  SLOW,
);

test(
  'another filesystem under the name of the disk is not mounted in its place, and it is told',
  async () => {
    const one = loops[0]!;
    must('umount', `${place}-one`);
    // A namespace that another test made meanwhile may have a copy of the mount, as long as it lives: minutes.
    const made = () => run('sh', '-c', `wipefs -qa ${one.node} && mkfs.xfs -q -f ${one.node}`).status === 0;
    await until(made, COPIED);
    udev(one);
    expect(await drift()).toMatch(/the disk of the volume one carries xfs with the UUID [^"]*, not the volume’s own/);
    const reviewed = await plan();
    expect(reviewed.units[0]!.check!.faults.join()).toMatch(/disk of the volume one carries xfs/);
    expect(await mounted(`${place}-one`)).toBe(false);
  },
  COPIED + SLOW,
);
