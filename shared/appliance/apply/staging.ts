// Staged files of an apply, below a folder of its own: what is about to be in force, for the real programs to check.
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RenderedFile } from '../../ground/machine/host.ts';

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
