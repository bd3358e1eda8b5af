// Makes the folder of a datastore, in a tree that clients write to: they may put a symbolic link in its way at any time, and
// change owner and mode of what is there. Each part is opened from the one above it and never through a link, what exists
// stays as it is, and no name is looked up twice. open(2), O_NOFOLLOW.
import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Makes `path`, relative to `base`, which is no client's. @throws Error in a sentence, for a link or what is no folder */
export async function makeFolder(base: string, path: string): Promise<void> {
  let above = await open(base, FLAGS);
  try {
    let at = '';
    for (const part of path.split('/')) {
      at = at === '' ? part : `${at}/${part}`;
      const below = `/proc/self/fd/${above.fd}/${part}`;
      try {
        await mkdir(below, 0o755);
        // Once an apply says that it is done, it is there after a power cut, too.
        await above.sync();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const next = await open(below, FLAGS).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ELOOP' && error.code !== 'ENOTDIR') throw error;
        throw new Error(`The folder ${path} could not be made: ${at} is a symbolic link, or no folder. Remove it.`);
      });
      await above.close();
      above = next;
    }
  } finally {
    await above.close();
  }
}
