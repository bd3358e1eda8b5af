// Removing a medium's files: the folder is renamed first, so that half of a medium is never found under its id.
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isNear } from '../../../ground/clock.ts';
import type { Host } from '../../../ground/machine/host.ts';
import { mediaFolder, mediumFolder, mediumOfEntry, removingFolder } from './media-folder.ts';
import type { MediumState } from './medium-store.ts';
import { dropUpload } from './upload.ts';

type Resolver = Pick<Host, 'resolve'>;

export async function removeMedium(host: Resolver, id: string): Promise<void> {
  await rename(mediumFolder(host, id), removingFolder(host, id)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rm(removingFolder(host, id), { recursive: true, force: true });
  await dropUpload(host, id);
}

/** State → entries of the media folder that it needs. */
const WANTED: Readonly<Record<MediumState, RegExp>> = {
  receiving: /^\.upload-/,
  unpacking: /./,
  ready: /^[^.]/,
  failed: /^(?!)/,
};

/** Removes entries that no medium needs and that were not written to for `seconds`. Answers their names. */
export async function pruneMedia(
  host: Resolver,
  states: ReadonlyMap<string, MediumState>,
  { now, seconds }: { now: Date; seconds: number },
): Promise<string[]> {
  const folder = mediaFolder(host);
  const removed: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const id = mediumOfEntry(name);
    const state = id === null ? undefined : states.get(id);
    if (id === null || (state !== undefined && WANTED[state].test(name))) continue;
    const found = await lstat(join(folder, name)).catch(() => null);
    if (!found || isNear(found.mtimeMs, now, seconds)) continue;
    await rm(join(folder, name), { recursive: true, force: true });
    removed.push(name);
  }
  return removed;
}
