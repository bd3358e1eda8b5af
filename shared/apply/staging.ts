// Staged and previous files of an apply, below the data folder: what is about to be in force, and what was, so that
// either can be put in place whole.
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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

/** Keeps what is in force at `paths`, durably, in one file: it exists whole or not at all. */
export async function savePrevious(
  folder: string,
  host: Host,
  files: readonly { path: string; mode: number }[],
): Promise<PreviousFile[]> {
  const previous: PreviousFile[] = [];
  for (const { path, mode } of files) previous.push({ path, mode, content: await host.read(path) });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `.previous.${process.pid}`);
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify(previous));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, join(folder, 'previous.json'));
  return previous;
}

/** What savePrevious kept, or null when it was never finished. */
export async function loadPrevious(folder: string): Promise<PreviousFile[] | null> {
  const text = await readFile(join(folder, 'previous.json'), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as PreviousFile[]);
}

/** Puts the previous files back in place. */
export async function restorePrevious(host: Host, previous: readonly PreviousFile[]): Promise<void> {
  for (const { path, content, mode } of previous) {
    if (content === null) await host.remove(path);
    else await host.write({ path, content, mode });
  }
}
