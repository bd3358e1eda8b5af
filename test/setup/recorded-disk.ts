// A disk whose every write is recorded, in order, so that a test can have it as a power cut would have left it at any moment. QEMU
// writes the record (blklogwrites, in the form of the kernel's dm-log-writes) and shows the disk as a file, on which a loop device
// stands. Root only.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

const SECTOR = 512;
/** Flags of an entry: the disk is flushed with it; sectors are let go of, so that it has no data. */
const FLUSH = 1;
const DISCARD = 4;
const MAGIC = 0x6a73_6677_7368_72n;

export interface Entry {
  /** Bytes. */
  at: number;
  data: Buffer;
  flush: boolean;
}

export interface RecordedDisk {
  /** The loop device. */
  node: string;
  /** Entries that were recorded until now. */
  count(): number;
  /** Everything that was recorded, in order. Ends the disk. */
  stop(): Promise<Entry[]>;
  /** Ends the disk, whatever became of the test. */
  end(): void;
}

const run = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8', timeout: 60_000 });

export async function recordedDisk(folder: string, bytes: number): Promise<RecordedDisk> {
  const [image, log, shown] = ['recorded.img', 'recorded.log', 'recorded'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [image, log, shown]) writeFileSync(path, '');
  truncateSync(image, bytes);
  const daemon = spawn(
    'qemu-storage-daemon',
    [
      ...['--blockdev', `driver=file,node-name=data,filename=${image}`],
      ...['--blockdev', `driver=file,node-name=log,filename=${log}`],
      // Its own count of entries stands in the file at once.
      ...['--blockdev', 'driver=blklogwrites,node-name=disk,file=data,log=log,log-super-update-interval=1'],
      ...['--export', `fuse,id=disk,node-name=disk,mountpoint=${shown},writable=on`],
    ],
    { stdio: 'ignore' },
  );
  let node = '';
  const end = (): void => {
    if (node !== '') run('losetup', '-d', node);
    node = '';
    if (daemon.exitCode === null && daemon.signalCode === null) daemon.kill('SIGTERM');
  };
  try {
    await until(() => statSync(shown).size === bytes);
    const made = run('losetup', '--find', '--show', shown);
    if (made.status !== 0) throw new Error(made.stderr);
    node = made.stdout.trim();
  } catch (error) {
    end();
    throw error;
  }
  return {
    node,
    count: () => countIn(readFileSync(log)),
    end,
    async stop() {
      const over = new Promise<void>((done) => daemon.once('exit', () => done()));
      end();
      await over;
      return entriesIn(readFileSync(log));
    },
  };
}

function countIn(log: Buffer): number {
  if (log.length < SECTOR) return 0;
  if (log.readBigUInt64LE(0) !== MAGIC) throw new Error('this is no record of writes');
  return Number(log.readBigUInt64LE(16));
}

/** Pure. A super block, then each entry in a sector of its own with its data behind it. @throws Error where one is missing */
export function entriesIn(log: Buffer): Entry[] {
  const entries: Entry[] = [];
  let from = SECTOR;
  for (let left = countIn(log); left > 0; left -= 1) {
    const [sector, sectors, flags] = [0, 8, 16].map((at) => Number(log.readBigUInt64LE(from + at))) as [
      number,
      number,
      number,
    ];
    if (sectors === 0 && flags === 0)
      throw new Error(`the record of writes has a hole, ${left} entries before its end`);
    from += SECTOR;
    const length = (flags & DISCARD) === 0 ? sectors * SECTOR : 0;
    entries.push({
      at: sector * SECTOR,
      // What is let go of reads as zeros.
      data: length > 0 ? log.subarray(from, from + length) : Buffer.alloc(sectors * SECTOR),
      flush: (flags & FLUSH) !== 0,
    });
    from += length;
  }
  return entries;
}

/** Writes an image: a blank disk with these entries. */
export function writeImage(path: string, bytes: number, entries: Iterable<Entry>): void {
  writeFileSync(path, '');
  truncateSync(path, bytes);
  const image = openSync(path, 'r+');
  try {
    for (const { at, data } of entries) if (data.length > 0) writeSync(image, data, 0, data.length, at);
  } finally {
    closeSync(image);
  }
}
