// A folder of the appliance as a place for copies.
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../../../ground/machine/durable-file.ts';
import { Problem } from '../../../../ground/problems.ts';
import type { Services } from '../../../../kernel/operation/services.ts';
import type { FolderPlace } from '../target.ts';
import { type FolderShell, foreignFolder, MOUNTS, rootOf } from './allowed-folder.ts';
import { NAMES_MOST, type OpenPlace } from './place.ts';

type Shell = FolderShell & Pick<Services, 'host'>;

/** @throws Problem 409 for a folder that takes no copies now */
export async function openFolder(shell: Shell, { path }: FolderPlace): Promise<OpenPlace> {
  const folder = await usable(shell, path).catch(told(path));
  const at = (name: string) => join(folder, name);
  const or = told(path);
  return {
    async write(name, source) {
      await (async () => {
        const file = await open(at(name), 'wx', 0o600);
        try {
          for await (const piece of source.bytes()) await file.writeFile(piece);
          await file.sync();
        } finally {
          await file.close();
        }
      })().catch(or);
    },
    async *read(name) {
      try {
        for await (const piece of createReadStream(at(name))) yield piece as Buffer;
      } catch (error) {
        or(error as Error);
      }
    },
    // A link refuses what a rename would replace.
    async rename(from, to) {
      await (async () => {
        await link(at(from), at(to));
        await rm(at(from));
        await syncFolder(folder);
      })().catch(or);
    },
    size: async (name) => (await stat(at(name)).catch(or)).size,
    remove: (name) => rm(at(name), { force: true }).catch(or),
    names: async () => (await readdir(folder).catch(or)).slice(0, NAMES_MOST),
    close: async () => undefined,
  };
}

/** The folder itself, without links on the way that lead elsewhere. Below the data folder it is made. */
async function usable(shell: Shell, path: string): Promise<string> {
  const allowed = rootOf(shell, path);
  if (!allowed) throw refused(path, foreignFolder(shell));
  const { root, mounted } = allowed;
  const [wanted, base] = mounted ? [shell.host.resolve(path), shell.host.resolve(root)] : [path, root];
  if (!mounted) await mkdir(wanted, { recursive: true, mode: 0o700 });
  const [real, realBase] = [await realpath(wanted), await realpath(base)];
  if (real !== realBase && !real.startsWith(`${realBase}/`)) throw refused(path, 'A link on its way leads elsewhere.');
  // Without the volume the copies would fill the disk of the system.
  if (mounted && (await stat(real)).dev === (await stat(realBase)).dev)
    throw refused(path, `No volume is mounted there below ${MOUNTS}.`);
  return real;
}

const refused = (path: string, why: string): Problem =>
  new Problem('state_conflict', `No copy goes to the folder ${path}. ${why}`);

const SAID: Readonly<Record<string, string>> = {
  ENOENT: 'It does not exist.',
  ENOTDIR: 'A part of it is a file.',
  EACCES: 'The service may not write there.',
  EPERM: 'The service may not write there.',
  EROFS: 'Its file system is read-only.',
  EIO: 'Its disk has a fault.',
};

function told(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error instanceof Problem) throw error;
    if (['ENOSPC', 'EDQUOT'].includes(error.code ?? ''))
      throw new Problem('storage_full', `The folder ${path} has no room.`);
    const said = SAID[error.code ?? ''];
    throw said === undefined ? error : refused(path, said);
  };
}
