// A folder of its own for the time that an archive is made or read. One whose process was killed left a copy of the database
// behind: the next one sweeps it.
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../../ground/machine/process-alive.ts';

const LEFT = /^scratch-(\d+)-/;

/** Makes it within `folder`, for its owner alone. Whoever made it removes it. */
export async function makeScratch(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const pid = Number(LEFT.exec(name)?.[1]);
    if (pid > 0 && !isAlive(pid)) await rm(join(folder, name), { recursive: true, force: true });
  }
  return mkdtemp(join(folder, `scratch-${process.pid}-`));
}
