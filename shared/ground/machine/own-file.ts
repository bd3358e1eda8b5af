// Files below a folder that others may write to as well. Only a regular file with this one name is opened: through a
// link, a writer could make us read a file that the writer may not read.
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';

export type OwnFile =
  | { file: FileHandle; stats: Stats }
  /** `link`: a link on the way, or a file with a second name elsewhere; `other`: a pipe, a socket, a device. */
  | { file: null; is: 'missing' | 'folder' | 'link' | 'other' };

/** For reading: follows no link at the end of the path, and does not wait for the writer of a pipe. */
export const READ_OWN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const GONE = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EACCES', 'ENXIO', 'ENODEV']);

/**
 * Opens `path` below `root`; `root` itself may be a link. All checks are made on the open file, since the name may mean
 * another file a moment later. The caller closes the file.
 * @param path relative and plain: no `..`
 * @param also another path under which the same file may be named: that of a second step that was cut off
 */
export async function openOwn(root: string, path: string, also?: string): Promise<OwnFile> {
  const file = await open(join(root, path), READ_OWN).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ELOOP') return 'link' as const;
    if (GONE.has(error.code ?? '')) return 'missing' as const;
    throw error;
  });
  if (typeof file === 'string') return { file: null, is: file };
  try {
    const [stats, really, wanted] = await Promise.all([
      file.stat(),
      readlink(`/proc/self/fd/${file.fd}`),
      realpath(root).then((real) => join(real, path)),
    ]);
    // A file that was just replaced is still whole.
    const there = really === wanted || really === `${wanted} (deleted)`;
    const is = there ? await kindOf(stats, also) : 'link';
    if (is === 'file') return { file, stats };
    await file.close();
    return { file: null, is };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function kindOf(stats: Stats, also: string | undefined): Promise<'file' | 'folder' | 'link' | 'other'> {
  if (stats.isDirectory()) return 'folder';
  if (!stats.isFile()) return 'other';
  if (stats.nlink <= 1) return 'file';
  if (also === undefined || stats.nlink > 2) return 'link';
  const second = await lstat(also).catch(() => null);
  return second?.ino === stats.ino && second.dev === stats.dev ? 'file' : 'link';
}
