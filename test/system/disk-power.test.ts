// The power is cut at each step of formatting, mounting and exporting a disk (needs root): what the kernel and mkfs(8) write is
// recorded, and the disk is looked at as it would stand after each write, after half of one, and with only some of those that no
// flush had followed. It is always formatted to the end, or refused in words; what was synced for a host is there, byte by byte.
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { execProgram } from '../../shared/ground/machine/exec.ts';
import { type FilesystemKind, fingerprintOf } from '../../shared/services/storage/disk-fitness.ts';
import { NO_RECORD, orderLines, readRecord, writeRecord } from '../../shared/services/storage/disk-order.ts';
import { workOn } from '../../shared/services/storage/disk-work.ts';
import { SEEN, type Seen } from '../../shared/services/storage/disks.ts';
import { diskNamed, disksOf } from '../../shared/services/storage/inventory.ts';
import { makeFolder } from '../../shared/services/storage/make-folder.ts';
import { type Entry, type RecordedDisk, recordedDisk, writeImage } from '../setup/recorded-disk.ts';

const SLOW = 600_000;
const SIZE = 320 << 20;
/** Moments that are looked at: all of them, or these many, spread, besides those at a flush. */
const MOMENTS = process.env.RESTARTS === 'all' ? Number.POSITIVE_INFINITY : 12;
const ID = 'scsi-gctpower';
const DEVICE = `/dev/disk/by-id/${ID}`;
const PAYLOAD = randomBytes(300_000);

const run = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8', timeout: 60_000 });
const must = (program: string, ...args: string[]): string => {
  const { status, stdout, stderr } = run(program, ...args);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
};

let folder: string;
let at: string;
let seen: Seen;
let other: { file: string; digest: string };
const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gct-power-'));
  seen = { ...SEEN, udev: join(folder, 'udev') };
  at = join(folder, 'mounted');
  for (const name of ['udev', 'mounted']) mkdirSync(join(folder, name));
  // A volume beside it, with data of its own.
  const file = join(folder, 'other.img');
  writeFileSync(file, '');
  truncateSync(file, SIZE);
  must('mkfs.ext4', '-q', '-F', file);
  other = { file, digest: digestOf(file) };
});
let recorded: RecordedDisk | null = null;
afterEach(() => {
  run('umount', at);
  recorded?.end();
  recorded = null;
});
afterAll(() => {
  expect(digestOf(other.file)).toBe(other.digest);
  rmSync(folder, { recursive: true, force: true });
});

/** What udev would write down of the disk now; none of the one before. */
function udev(node: string): void {
  rmSync(seen.udev, { recursive: true, force: true });
  mkdirSync(seen.udev);
  const number = must('lsblk', '-dno', 'MAJ:MIN', node).trim();
  const said = run('blkid', '-p', '-o', 'udev', node).stdout.split('\n').filter(Boolean);
  const lines = [`S:disk/by-id/${ID}`, `E:ID_SERIAL=${ID}`, ...said.map((line) => `E:${line}`)];
  writeFileSync(join(seen.udev, `b${number}`), `${lines.join('\n')}\n`);
}

const fingerprintNow = async () => fingerprintOf(diskNamed(await disksOf(seen), DEVICE)!);
const shop = (records: string) => ({ orders: folder, records, dev: '/dev', seen, exec: execProgram });
/** XFS mounts only one of two with the same UUID, of which somebody else's namespace may still have the one before. */
const mount = (kind: FilesystemKind, node: string) =>
  run('mount', '-o', `nodev,nosuid,noexec${kind === 'xfs' ? ',nouuid' : ''}`, node, at);
const ends = (work: Promise<string>) => work.catch((error: Error) => error.message);

/** Entries there were after each step. */
interface Steps {
  entries: Entry[];
  /** After mkfs(8): root writes down that it is made. */
  made: number;
  /** After a sync of the folder, and of what a host wrote into it. */
  folder: number;
  payload: number;
}

async function record(kind: FilesystemKind, uuid: string): Promise<Steps> {
  recorded = await recordedDisk(folder, SIZE);
  const { node, count } = recorded;
  udev(node);
  // Where it would be mounted by systemd.
  const order = {
    device: DEVICE,
    at: '/srv/datastores/power',
    kind,
    uuid,
    bytes: SIZE,
    fingerprint: await fingerprintNow(),
  };
  writeFileSync(join(folder, `${uuid}.disk`), orderLines(order).join('\n'));
  const said = await workOn('format', uuid, shop(join(folder, 'first')));
  expect(said).toContain(uuid);
  const made = count();
  expect(mount(kind, node).status).toBe(0);
  await makeFolder(at, 'lab');
  must('sync', '-f', at);
  const foldered = count();
  writeFileSync(join(at, 'lab/payload'), PAYLOAD);
  must('sync', join(at, 'lab/payload'));
  const payload = count();
  must('umount', at);
  const entries = await recorded.stop();
  recorded = null;
  return { entries, made, folder: foldered, payload };
}

interface Moment {
  /** Entries of which the disk has been told. */
  told: number;
  /** Those that it has. */
  entries: readonly Entry[];
}

/** What a disk writes whole or not at all: the superblock of ext4, of 1 KiB, counts on that. */
const WHOLE = 4_096;

/** Half of the last write. */
function torn(entries: readonly Entry[]): Entry[] {
  const last = entries.at(-1)!;
  const middle = last.at + last.data.length / 2;
  const half = Math.max(0, middle - (middle % WHOLE) - last.at);
  return [...entries.slice(0, -1), { ...last, data: last.data.subarray(0, half) }];
}

/** As a disk may have them that keeps what it was not told to flush for a while: each second one. */
function unflushed(entries: readonly Entry[]): Entry[] {
  const flushed = entries.findLastIndex(({ flush }) => flush) + 1;
  return [...entries.slice(0, flushed), ...entries.slice(flushed).filter((_, turn) => turn % 2 === 0)];
}

function momentsOf({ entries, made, folder: foldered, payload }: Steps): Moment[] {
  const steps = [0, 1, made, foldered, payload, entries.length];
  const flushes = entries.flatMap(({ flush }, turn) => (flush ? [turn, turn + 1] : []));
  const spread = Math.min(MOMENTS, entries.length);
  const some = Array.from({ length: spread }, (_, turn) => Math.floor(((turn + 0.5) * entries.length) / spread));
  const all = MOMENTS > entries.length ? Array.from({ length: entries.length + 1 }, (_, turn) => turn) : [];
  const chosen = [...new Set([...steps, ...(MOMENTS > entries.length ? all : [...some, ...flushes.slice(-6)])])];
  return chosen
    .toSorted((one, two) => one - two)
    .flatMap((told): Moment[] => {
      const prefix = entries.slice(0, told);
      if (told === 0) return [{ told, entries: prefix }];
      return [prefix, torn(prefix), unflushed(prefix)].map((left) => ({ told, entries: left }));
    });
}

test.each(['xfs', 'ext4'] as const)(
  'the power is cut at each write of formatting, mounting and exporting %s',
  async (kind) => {
    const uuid = randomUUID();
    const steps = await record(kind, uuid);
    // Root says that it is made only after the disk has all of it.
    expect(steps.entries[steps.made - 1]).toMatchObject({ flush: true });
    const outcomes = { finished: 0, refused: 0, kept: 0 };
    for (const [turn, { told, entries }] of momentsOf(steps).entries()) {
      const where = `${kind}, ${told} of ${steps.entries.length} writes, ${turn}`;
      // Each its own: a namespace that another test made meanwhile may keep the mount of the one before.
      const image = join(folder, `cut-${turn}.img`);
      writeImage(image, SIZE, entries);
      const node = must('losetup', '--find', '--show', image);
      try {
        udev(node);
        const records = join(folder, `records-${kind}-${turn}`);
        const fingerprint = await fingerprintNow();
        // What root had written down by then, durably.
        const begun = { ...NO_RECORD, begun: true, fingerprint };
        const made = told >= steps.made;
        await writeRecord(uuid, made ? { ...begun, made, bytes: SIZE } : begun, records);
        const end = await ends(workOn('format', uuid, shop(records)));
        udev(node);
        if (made) expect([where, end]).toEqual([where, 'was formatted before']);
        else if (!(await readRecord(uuid, records)).made) {
          // Nothing is wiped: somebody has to look at such a disk.
          expect([where, end]).toEqual([where, expect.stringMatching(/first or last MiB/)]);
          outcomes.refused += 1;
          continue;
        }
        expect([where, must('blkid', '-p', '-s', 'UUID', '-o', 'value', node)]).toEqual([where, uuid]);
        expect([where, mount(kind, node).stderr]).toEqual([where, '']);
        if (told >= steps.folder) expect([where, readdirSync(at)]).toEqual([where, expect.arrayContaining(['lab'])]);
        if (told >= steps.payload) {
          expect([where, readFileSync(join(at, 'lab/payload')).equals(PAYLOAD)]).toEqual([where, true]);
          outcomes.kept += 1;
        }
        // The next apply makes what is missing, and a host goes on.
        await makeFolder(at, 'lab');
        writeFileSync(join(at, 'lab/more'), 'x');
        must('umount', at);
        outcomes.finished += 1;
      } finally {
        run('umount', at);
        run('losetup', '-d', node);
        rmSync(image);
      }
    }
    console.log(kind, JSON.stringify({ writes: steps.entries.length, ...outcomes }));
    expect(outcomes.finished).toBeGreaterThan(0);
    expect(outcomes.kept).toBeGreaterThan(0);
  },
  SLOW,
);
