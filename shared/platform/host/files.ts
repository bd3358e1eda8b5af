// Configuration files below the roots that the service may write, replaced atomically.
import { lstat, rm } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { readOrdinary } from '../../ground/machine/bounded-read.ts';
import { replaceFile, syncFolder } from '../../ground/machine/durable-file.ts';
import type { Host } from '../../ground/machine/host.ts';
import { type KeyDriver, keptKeys } from './key-driver.ts';
import { isInKeysFolder, keyName } from './key-files.ts';

/** The service writes below these folders only. */
export const APPLIANCE_ROOTS = [
  '/etc/groundcrew',
  '/etc/systemd/network',
  '/etc/issue.d',
  '/var/lib/groundcrew',
] as const;

export type HostFiles = Pick<Host, 'resolve' | 'read' | 'write' | 'remove' | 'keys'> & Required<Pick<Host, 'stamp'>>;

/**
 * The files of a driver; `base` is the folder used as `/` ('' on the appliance itself).
 * Reading, writing and removing throw an Error for a path outside of the roots. `keys`: what it does with private keys.
 */
export function hostFiles(base: string, keys: KeyDriver): HostFiles {
  const resolve = (path: string): string => (base === '' ? path : join(base, path));
  return {
    resolve,
    async read(path) {
      if (keyName(path) !== null) return keys.read(resolve(path));
      try {
        return await readOrdinary(resolve(permitted(path)));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async stamp(path) {
      if (keyName(path) !== null) return null;
      const kind = await lstat(resolve(permitted(path)), { bigint: true }).catch((error) => {
        if (isMissing(error)) return null;
        throw error;
      });
      if (!kind?.isFile()) return null;
      const text = [kind.dev, kind.ino, kind.size, kind.mtimeNs, kind.ctimeNs].join();
      return { text, changed_at: Number(kind.ctimeMs) };
    },
    async write(file) {
      if (keyName(file.path) !== null) return keys.write(resolve(file.path), file);
      await replaceFile(resolve(permitted(file.path)), file.content, file.mode, { folderMode: 0o755 });
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
    keys: keptKeys((path) => resolve(keyOnly(path)), keys.read),
  };
}

function keyOnly(path: string): string {
  if (keyName(path) === null) throw new Error(`${path} is no private key of a daemon.`);
  return path;
}

function permitted(path: string): string {
  if (isInKeysFolder(path) && keyName(path) === null) throw new Error(`${path} is no private key of a daemon.`);
  const inside = APPLIANCE_ROOTS.some((root) => path.startsWith(`${root}/`));
  if (!inside || normalize(path) !== path) {
    throw new Error(`${path} is not below ${APPLIANCE_ROOTS.join(' or ')}; the service neither reads nor writes it.`);
  }
  return path;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
