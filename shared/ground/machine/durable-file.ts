// Files that survive a power cut: either the old one or the new one is there, whole. Data, then name, then folder reach
// the disk.
import { chmod, link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

let written = 0;

interface PlaceOptions {
  folderMode?: number;
}

/** Replaces `target` by `content` with the given permission bits. Folders that it makes get `folderMode`, default 0700. */
export async function replaceFile(
  target: string,
  content: string | Uint8Array,
  mode: number,
  options: PlaceOptions = {},
): Promise<void> {
  await place(target, content, mode, options, (temporary) => rename(temporary, target));
}

/** The same for a file that is not there yet; one that is there, or comes meanwhile, stays as it is. */
export async function placeNew(target: string, content: string | Uint8Array, mode: number): Promise<void> {
  await place(target, content, mode, {}, async (temporary) => {
    await link(temporary, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(temporary);
  });
}

async function place(
  target: string,
  content: string | Uint8Array,
  mode: number,
  options: PlaceOptions,
  give: (temporary: string) => Promise<void>,
): Promise<void> {
  const folder = dirname(target);
  await makeFolder(folder, options.folderMode ?? 0o700);
  written += 1;
  const temporary = `${target}.${process.pid}-${written}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(content, 'utf8');
      // Not at open: the umask would take bits away.
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await give(temporary);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Like `mkdir -p -m`, for each folder that is new: the umask must not decide whether a daemon can read its files. */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await chmod(made, mode);
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
