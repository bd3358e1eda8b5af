// The text of a unit's applied files, as far as everybody on the host may read them. A change made by hand is shown
// against it. The file is beside the baseline and named by the same digest.
import { join } from 'node:path';
import { readOrdinary } from '../../ground/machine/bounded-read.ts';
import { replaceFile } from '../../ground/machine/durable-file.ts';
import type { RenderedFile } from '../../ground/machine/host.ts';
import { keyName } from '../host/key-files.ts';

/** Characters stored for one unit in all: a zone of a hundred thousand records is compared by its digest alone. */
const KEPT_MOST = 1 << 20;

/** A file that not everybody on the host may read is not shown anywhere else either, whatever its group. */
const isPrivate = (mode = 0o644): boolean => (mode & 0o007) === 0;
/** Of a private key, everybody may see which one it is: nothing has more of it than that. */
export const isHidden = (path: string, mode?: number): boolean => isPrivate(mode) && keyName(path) === null;

export async function saveAppliedFiles(data: string, digest: string, files: readonly RenderedFile[]): Promise<void> {
  let left = KEPT_MOST;
  const kept: [string, string][] = [];
  for (const { path, content, mode } of files) {
    if (isHidden(path, mode) || content.length > left) continue;
    left -= content.length;
    kept.push([path, content]);
  }
  await replaceFile(placeOf(data, digest), JSON.stringify(kept), 0o600);
}

/** By path; empty where no text was stored. */
export async function loadAppliedFiles(data: string, digest: string): Promise<Map<string, string>> {
  try {
    return new Map(JSON.parse(await readOrdinary(placeOf(data, digest))) as [string, string][]);
  } catch {
    // Applied by an earlier release, or damaged: the change is still shown, without its lines.
    return new Map();
  }
}

const placeOf = (data: string, digest: string): string => join(data, 'apply', 'contents', digest);
