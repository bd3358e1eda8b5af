// The text of the files that a unit was applied with, as far as everybody on the host may read them: what a change made
// by hand is shown against. Kept beside the baseline, named by the same digest.
import { join } from 'node:path';
import { readOrdinary } from '../../ground/machine/bounded-read.ts';
import { replaceFile } from '../../ground/machine/durable-file.ts';
import type { RenderedFile } from '../../ground/machine/host.ts';

/** Characters kept of a unit in all: a zone of a hundred thousand records is compared by its digest alone. */
const KEPT_MOST = 1 << 20;

/** A file that not everybody on the host may read is nothing to look at elsewhere either, whoever its group is. */
export const isPrivate = (mode = 0o644): boolean => (mode & 0o007) === 0;

export async function saveAppliedFiles(data: string, digest: string, files: readonly RenderedFile[]): Promise<void> {
  let left = KEPT_MOST;
  const kept: [string, string][] = [];
  for (const { path, content, mode } of files) {
    if (isPrivate(mode) || content.length > left) continue;
    left -= content.length;
    kept.push([path, content]);
  }
  await replaceFile(placeOf(data, digest), JSON.stringify(kept), 0o600);
}

/** By path; empty where nothing was kept. */
export async function loadAppliedFiles(data: string, digest: string): Promise<Map<string, string>> {
  try {
    return new Map(JSON.parse(await readOrdinary(placeOf(data, digest))) as [string, string][]);
  } catch {
    // Applied by an earlier release, or damaged: the change is still told, without its lines.
    return new Map();
  }
}

const placeOf = (data: string, digest: string): string => join(data, 'apply', 'contents', digest);
