// The baseline of a unit: the facts and the list of files of its last successful apply. It is a file, because a unit
// may have a hundred thousand facts. Its name is its own digest, which the database row has.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readOrdinary } from '../../ground/machine/bounded-read.ts';
import { replaceFile } from '../../ground/machine/durable-file.ts';
import type { RenderedFile } from '../../ground/machine/host.ts';
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

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Digest of a unit's rendered files: their paths, modes and contents, in path order. */
export function digestOf(files: readonly RenderedFile[]): string {
  const hash = createHash('sha256');
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(`${file.path}\0${file.mode.toString(8)}\0${Buffer.byteLength(file.content)}\0`).update(file.content);
  }
  return hash.digest('hex');
}

/** Writes a baseline durably. Answers its digest, which is its name. */
export async function saveBaseline(
  data: string,
  facts: Facts,
  files: readonly RenderedFile[],
  remembered: unknown,
): Promise<string> {
  const text = JSON.stringify({
    facts: [...facts],
    files: files.map((file) => ({ path: file.path, sha256: sha256(file.content), mode: file.mode })),
    remembered,
  });
  const digest = sha256(text);
  await replaceFile(join(data, 'apply', 'baselines', digest), text, 0o600);
  return digest;
}

/** @throws Error when the file is missing, is no ordinary file, or does not match its name. */
export async function loadBaseline(data: string, digest: string): Promise<Baseline> {
  if (!/^[0-9a-f]{64}$/.test(digest)) throw new Error('A baseline is named by its digest.');
  const text = await readOrdinary(join(data, 'apply', 'baselines', digest));
  if (sha256(text) !== digest) throw new Error(`The baseline ${digest.slice(0, 12)} is damaged.`);
  const { facts, entries, files, remembered } = JSON.parse(text) as Kept;
  return { facts: facts ? new Map(facts) : null, words: new Map(entries), files, remembered };
}

/** The content of the file. `entries`: what the release before facts wrote instead of facts. */
interface Kept extends Pick<Baseline, 'files' | 'remembered'> {
  facts?: [string, Data][];
  entries?: [string, string][];
}
