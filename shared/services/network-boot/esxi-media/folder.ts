// A folder with the files of an image as source. Only its own regular files are read; links are refused.
import { createReadStream, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, pipeline } from 'node:stream';
import { openOwn } from '../../../ground/machine/own-file.ts';
import { LIMITS, MediaFault, shown } from './limits.ts';
import { memberPath } from './member-path.ts';
import type { MediaSource, Member } from './source.ts';

export function openFolder(root: string): MediaSource {
  return { members: () => walk(root), close: async () => undefined };
}

async function walk(root: string): Promise<Member[]> {
  const members: Member[] = [];
  const waiting: string[][] = [[]];
  let folders = 0;
  for (let names = waiting.shift(); names; names = waiting.shift()) {
    folders += 1;
    if (folders > LIMITS.folders) throw new MediaFault(`There are more than ${LIMITS.folders} folders.`);
    for (const name of (await readdir(join(root, ...names))).sort()) {
      const path = memberPath([...names, name]);
      const full = join(root, path);
      const found = await lstat(full);
      if (found.isDirectory()) waiting.push([...names, name]);
      else if (!found.isFile()) throw new MediaFault(`${shown(path)} is neither a file nor a folder.`);
      else if (found.nlink > 1) throw new MediaFault(`${shown(path)} has a second name elsewhere (hard link).`);
      else members.push({ path, size: found.size, open: () => openSame(root, path, found) });
      if (members.length > LIMITS.members) throw new MediaFault(`There are more than ${LIMITS.members} files.`);
    }
  }
  return members;
}

/** Opens the file that was checked before, and refuses one that replaced it meanwhile. */
function openSame(root: string, path: string, { ino, dev }: Stats): PassThrough {
  const through = new PassThrough({ highWaterMark: 1 << 20 });
  openOwn(root, path)
    .then(async (own) => {
      const handle = own.file;
      if (handle === null || own.stats.ino !== ino || own.stats.dev !== dev) {
        await handle?.close();
        throw new MediaFault('A file of the folder was replaced while it was read.');
      }
      pipeline(createReadStream('', { fd: handle, highWaterMark: 1 << 20 }), through, () => undefined);
    })
    .catch((error: Error) => through.destroy(error));
  return through;
}
