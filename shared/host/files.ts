// Configuration files below the roots that the service may write, replaced atomically.
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import type { Host, RenderedFile } from './host.ts';

/** Everything that the service writes on an appliance lies below one of these folders. */
export const APPLIANCE_ROOTS = ['/etc/groundcrew', '/etc/systemd/network'] as const;

export type HostFiles = Pick<Host, 'resolve' | 'read' | 'write' | 'remove'>;

/** Makes names for temporary files unique within the process. */
let written = 0;

/**
 * The files of a driver; `base` is the folder that stands for `/` ('' on the appliance itself).
 * Reading, writing and removing throw an Error for a path outside of the roots.
 */
export function hostFiles(base: string): HostFiles {
  const resolve = (path: string): string => (base === '' ? path : join(base, path));
  return {
    resolve,
    async read(path) {
      try {
        return await readFile(resolve(permitted(path)), 'utf8');
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async write(file) {
      await replaceFile(resolve(permitted(file.path)), file);
    },
    async remove(path) {
      const target = resolve(permitted(path));
      try {
        await rm(target);
      } catch (error) {
        if (isMissing(error)) return;
        throw error;
      }
      await syncFolder(dirname(target));
    },
  };
}

function permitted(path: string): string {
  const inside = APPLIANCE_ROOTS.some((root) => path.startsWith(`${root}/`));
  if (!inside || normalize(path) !== path) {
    throw new Error(`${path} is not below ${APPLIANCE_ROOTS.join(' or ')}; the service neither reads nor writes it.`);
  }
  return path;
}

/** After a power cut either the old file or the new one is there, whole: data, then name, then folder reach the disk. */
async function replaceFile(target: string, file: RenderedFile): Promise<void> {
  const folder = dirname(target);
  await mkdir(folder, { recursive: true });
  written += 1;
  const temporary = `${target}.${process.pid}-${written}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(file.content, 'utf8');
      // Not at open: the umask would take bits away.
      await handle.chmod(file.mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
