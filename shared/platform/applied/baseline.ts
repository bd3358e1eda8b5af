// What is in force, per unit: the flat entries and the list of files of the last successful apply. Kept as a file named
// by its own digest, because a unit may have a hundred thousand entries; the database row names it.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readOrdinary } from '../../ground/machine/bounded-read.ts';
import { replaceFile } from '../../ground/machine/durable-file.ts';
import type { RenderedFile } from '../../ground/machine/host.ts';
import type { Entries } from '../units/unit.ts';

export interface Baseline {
  entries: Entries;
  files: { path: string; sha256: string; mode: number }[];
  /** What the unit's `activate` needs to come back to this state. */
  remembered: unknown;
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

/** Writes a baseline durably and answers its digest, which names it. */
export async function saveBaseline(
  data: string,
  entries: Entries,
  files: readonly RenderedFile[],
  remembered: unknown,
): Promise<string> {
  const text = JSON.stringify({
    entries: [...entries],
    files: files.map((file) => ({ path: file.path, sha256: sha256(file.content), mode: file.mode })),
    remembered,
  });
  const digest = sha256(text);
  await replaceFile(join(data, 'apply', 'baselines', digest), text, 0o600);
  return digest;
}

/** @throws Error when the file is missing, is none, or does not match its name. */
export async function loadBaseline(data: string, digest: string): Promise<Baseline> {
  if (!/^[0-9a-f]{64}$/.test(digest)) throw new Error('A baseline is named by its digest.');
  const text = await readOrdinary(join(data, 'apply', 'baselines', digest));
  if (sha256(text) !== digest) throw new Error(`The baseline ${digest.slice(0, 12)} is damaged.`);
  const read = JSON.parse(text) as { entries: [string, string][]; files: Baseline['files']; remembered: unknown };
  return { entries: new Map(read.entries), files: read.files, remembered: read.remembered };
}
