// A machine whose disks record every write, all on one clock, so that a test can have them as a power cut would have left them at
// any moment of its life: also without what a disk had been told, and was not yet told to keep. A machine that is only ended
// loses nothing: what it wrote is in the files, or in the memory of the machine that runs the test.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { type Entry, entriesIn } from '../setup/recorded-disk.ts';

/** Milliseconds between two looks at the records. */
const EVERY = 2;
const SUPER_BLOCK = 24;
/** What a disk writes whole or not at all. */
const WHOLE = 4_096;

/** Milliseconds on one clock for whatever process looks at a recording. */
export const now = (): number => performance.timeOrigin + performance.now();

/** How many entries each disk had recorded at a moment (now()). */
export interface Sample {
  at: number;
  counts: readonly number[];
}

/** What becomes of writes that no flush had followed: all are there, none is, each second one, or half of the last one. */
export const LOSSES = ['nothing', 'all', 'each second', 'half of the last'] as const;
export type Loss = (typeof LOSSES)[number];

export interface RecordedFile {
  /** The disk as it was at the start, which nothing writes to any more. */
  base: string;
  /** What the machine writes to. */
  image: string;
  log: string;
}

/** A copy of the disk, to be written to, and an empty record beside it. */
export function recordedFile(base: string, name: string): RecordedFile {
  const [image, log] = [`${name}.img`, `${name}.log`];
  copy(base, image);
  writeFileSync(log, '');
  return { base, image, log };
}

export class Recording {
  readonly files: readonly RecordedFile[];
  readonly samples: Sample[];
  readonly #logs: readonly number[];
  #timer: NodeJS.Timeout | undefined;
  #entries: Entry[][] | undefined;

  /** `samples`: of a machine that has ended; what is there of it is only read. */
  constructor(files: readonly RecordedFile[], samples?: Sample[]) {
    this.files = files;
    this.samples = samples ?? [];
    this.#logs = files.map(({ log }) => openSync(log, 'r'));
    const look = (): void => {
      this.#look();
      this.#timer = setTimeout(look, EVERY);
    };
    if (samples) this.stop();
    else look();
  }

  #counts(): number[] {
    const block = Buffer.alloc(SUPER_BLOCK);
    return this.#logs.map((log) =>
      readSync(log, block, 0, SUPER_BLOCK, 0) < SUPER_BLOCK ? 0 : Number(block.readBigUInt64LE(16)),
    );
  }

  /** The same twice is what was there at one moment: a count is written before the machine hears that its write is done. */
  #look(): void {
    const at = now();
    const [counts, again] = [this.#counts(), this.#counts()];
    const last = this.samples.at(-1);
    if (
      counts.every((count, turn) => count === again[turn]) &&
      !counts.every((count, turn) => count === last?.counts[turn])
    )
      this.samples.push({ at, counts });
  }

  /** After the machine has ended. */
  stop(): void {
    clearTimeout(this.#timer);
    if (this.#entries) return;
    for (const log of this.#logs) closeSync(log);
    this.#entries = this.files.map(({ log }) => entriesIn(readFileSync(log)));
  }

  /** Samples from the one that was there at `from` to that at `to`. */
  between(from: number, to: number): Sample[] {
    const first = Math.max(
      0,
      this.samples.findLastIndex(({ at }) => at <= from),
    );
    return this.samples.slice(first).filter(({ at }) => at <= to);
  }

  /** Writes the disks as they would have been found after that moment; `names` are their paths, in order. */
  cut({ counts }: Sample, loss: Loss, names: readonly string[]): void {
    for (const [disk, { base }] of this.files.entries()) {
      const entries = this.#entries![disk]!.slice(0, counts[disk]);
      copy(base, names[disk]!);
      const image = openSync(names[disk]!, 'r+');
      try {
        for (const { at, data } of left(entries, loss)) if (data.length > 0) writeSync(image, data, 0, data.length, at);
      } finally {
        closeSync(image);
      }
    }
  }

  /** Whether something would be lost on a disk. */
  unflushed({ counts }: Sample): number[] {
    return this.files.map((_, disk) => {
      const entries = this.#entries![disk]!.slice(0, counts[disk]);
      return entries.length - 1 - entries.findLastIndex(({ flush }) => flush);
    });
  }
}

/** Pure: what is left of these writes. */
export function left(entries: readonly Entry[], loss: Loss): readonly Entry[] {
  const flushed = entries.findLastIndex(({ flush }) => flush) + 1;
  const [kept, open] = [entries.slice(0, flushed), entries.slice(flushed)];
  if (loss === 'all') return kept;
  if (loss === 'each second') return [...kept, ...open.filter((_, turn) => turn % 2 === 0)];
  const last = open.at(-1);
  if (loss === 'nothing' || last === undefined) return entries;
  // A boundary of what the disk writes whole is at a multiple of its place.
  const middle = last.at + last.data.length / 2;
  const half = Math.max(0, middle - (middle % WHOLE) - last.at);
  return [...entries.slice(0, -1), { ...last, data: last.data.subarray(0, half) }];
}

export function copy(from: string, to: string): void {
  const made = spawnSync('cp', ['--sparse=always', from, to], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
}

/** Makes a disk larger by so many bytes. */
export const enlarge = (path: string, bytes: number): void => truncateSync(path, statSync(path).size + bytes);
