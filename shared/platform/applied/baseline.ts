// The baseline of a unit: the facts and the list of files of its last successful apply. It is a file, because a unit
// may have a hundred thousand facts. Its name is its own digest, which the database row has.
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readOrdinary } from '../../ground/machine/bounded-read.ts';
import { replaceFile } from '../../ground/machine/durable-file.ts';
import type { RenderedFile } from '../../ground/machine/host.ts';
import type { UnitId } from '../unit-names.ts';
import type { Data, Facts } from '../units/facts.ts';
import type { AnyUnit } from '../units/unit.ts';

export interface Baseline {
  /** Null in a file of the release before facts, which stored the words of its reviews: see `factsInForce`. */
  facts: Facts | null;
  words: ReadonlyMap<string, string>;
  files: { path: string; sha256: string; mode: number }[];
  /** What the unit's `activate` needs to come back to this state. */
  remembered: unknown;
}

/** A baseline whose facts are known. */
export type InForce = Baseline & { facts: Facts };

/**
 * The facts in force. Where the release before facts stored words, the facts are read from these, so that what did not
 * change since is not shown as a change. A fact that the words do not contain is missing: the next plan shows it as
 * new.
 */
export function factsInForce(
  unit: Pick<AnyUnit, 'facts' | 'fromWords'>,
  { facts, words, remembered }: Omit<Baseline, 'files'>,
): Facts {
  if (facts !== null) return facts;
  try {
    return unit.fromWords ? unit.fromWords(words, remembered) : unit.facts(remembered);
  } catch {
    return new Map();
  }
}

/** Of long texts, the few that were asked for last: a plan and its apply ask a dozen times for the digest of the same file. */
const digests = new Map<string, string>();
const LONG = 1 << 18;
const DIGESTS_MOST = 4;

export function sha256(text: string): string {
  if (text.length < LONG) return createHash('sha256').update(text).digest('hex');
  const digest = digests.get(text) ?? createHash('sha256').update(text).digest('hex');
  digests.delete(text);
  digests.set(text, digest);
  if (digests.size > DIGESTS_MOST) digests.delete(digests.keys().next().value!);
  return digest;
}

/** Digest of a unit's rendered files: their paths, modes and contents, in path order. */
export function digestOf(files: readonly RenderedFile[]): string {
  const hash = createHash('sha256');
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(`${file.path}\0${file.mode.toString(8)}\0${Buffer.byteLength(file.content)}\0`).update(file.content);
  }
  return hash.digest('hex');
}

const placeOf = (data: string, digest: string): string => join(data, 'apply', 'baselines', digest);

/** A baseline as it was read or written last, and what its file looked like then: a large one takes long to read. */
interface Known {
  digest: string;
  seen: string;
  baseline: Baseline;
}

/** By data folder and unit, the last one of each. */
const known = new Map<string, Known>();
/** Facts of a baseline that is kept in memory: of ten thousand users with their passwords, not of a hundred thousand records. */
const KEPT_MOST = 50_000;

async function seenAt(path: string): Promise<string> {
  const { ino, size, mtimeMs, ctimeMs } = await stat(path);
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

function keep(data: string, unit: UnitId, one: Known): void {
  const key = `${data} ${unit}`;
  known.delete(key);
  if ((one.baseline.facts?.size ?? 0) <= KEPT_MOST) known.set(key, one);
}

/** Writes a baseline durably. Answers its digest, which is its name. */
export async function saveBaseline(
  data: string,
  facts: Facts,
  files: readonly RenderedFile[],
  remembered: unknown,
  unit: UnitId | null = null,
): Promise<string> {
  const listed = files.map((file) => ({ path: file.path, sha256: sha256(file.content), mode: file.mode }));
  const text = JSON.stringify({ facts: [...facts], files: listed, remembered });
  const digest = sha256(text);
  const path = placeOf(data, digest);
  await replaceFile(path, text, 0o600);
  if (unit !== null) {
    // As it would be read: what JSON leaves out of a remembered state is not there.
    const read: unknown = JSON.parse(JSON.stringify(remembered ?? null));
    const baseline = { facts, words: new Map(), files: listed, remembered: read };
    keep(data, unit, { digest, seen: await seenAt(path), baseline });
  }
  return digest;
}

/**
 * `unit`: whose it is, so that it is read once. Nobody changes what it is given.
 * @throws Error when the file is missing, is no ordinary file, or does not match its name.
 */
export async function loadBaseline(data: string, digest: string, unit: UnitId | null = null): Promise<Baseline> {
  if (!/^[0-9a-f]{64}$/.test(digest)) throw new Error('A baseline is named by its digest.');
  const path = placeOf(data, digest);
  if (unit === null) return read(path, digest);
  const seen = await seenAt(path);
  const found = known.get(`${data} ${unit}`);
  if (found?.digest === digest && found.seen === seen) return found.baseline;
  const baseline = await read(path, digest);
  keep(data, unit, { digest, seen, baseline });
  return baseline;
}

async function read(path: string, digest: string): Promise<Baseline> {
  const text = await readOrdinary(path);
  if (sha256(text) !== digest) throw new Error(`The baseline ${digest.slice(0, 12)} is damaged.`);
  const { facts, entries, files, remembered } = JSON.parse(text) as Kept;
  return { facts: facts ? new Map(facts) : null, words: new Map(entries), files, remembered };
}

/** The content of the file. `entries`: what the release before facts wrote instead of facts. */
interface Kept extends Pick<Baseline, 'files' | 'remembered'> {
  facts?: [string, Data][];
  entries?: [string, string][];
}
