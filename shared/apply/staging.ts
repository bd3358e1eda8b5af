// Staged and previous files of an apply, below the data folder: what is about to be in force, and what was, so that
// either can be put in place whole.
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../host/durable-file.ts';
import type { Host, RenderedFile } from '../host/host.ts';

export function stagedPath(folder: string, path: string): string {
  return join(folder, 'staged', path);
}

/** Writes the rendered files below `folder`/staged. */
export async function stage(folder: string, files: readonly RenderedFile[]): Promise<void> {
  for (const file of files) {
    const target = stagedPath(folder, file.path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const handle = await open(target, 'w', 0o600);
    try {
      await handle.writeFile(file.content);
    } finally {
      await handle.close();
    }
  }
}

/** A file as it was before the swap; content null: it did not exist. */
export interface PreviousFile {
  path: string;
  content: string | null;
  mode: number;
}

/** Space set aside before the swap, so that a disk that fills up meanwhile can't keep the way back from being taken. */
const RESERVE = 'reserve';
/** Beyond the files themselves: what the database needs to say how it ended. */
const RESERVE_BYTES = 512 << 10;

/** Keeps what is in force at `paths`, durably, in one file: it exists whole or not at all. */
export async function savePrevious(
  folder: string,
  host: Host,
  files: readonly { path: string; mode: number }[],
): Promise<PreviousFile[]> {
  const previous: PreviousFile[] = [];
  for (const { path, mode } of files) previous.push({ path, mode, content: await host.read(path) });
  const text = JSON.stringify(previous);
  await replaceFile(join(folder, RESERVE), '\0'.repeat(Buffer.byteLength(text) + RESERVE_BYTES), 0o600);
  await replaceFile(join(folder, 'previous.json'), text, 0o600);
  return previous;
}

/** What savePrevious kept, or null when it was never finished. */
export async function loadPrevious(folder: string): Promise<PreviousFile[] | null> {
  try {
    return JSON.parse(await readFile(join(folder, 'previous.json'), 'utf8')) as PreviousFile[];
  } catch (error) {
    // Any other fault must stop the run: taking it for "never saved" would keep half-new files as the previous ones.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Gives back the space that was set aside, then puts the previous files in place. */
export async function restorePrevious(folder: string, host: Host, previous: readonly PreviousFile[]): Promise<void> {
  await rm(join(folder, RESERVE), { force: true });
  for (const { path, content, mode } of previous) {
    if (content === null) await host.remove(path);
    else await host.write({ path, content, mode });
  }
}
