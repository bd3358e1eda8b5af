// A folder of another machine, as much of it as a person reads.
import { Problem } from '../../../ground/problems.ts';
import { FILES } from './limits.ts';
import { isName } from './names.ts';
import { type Facts, factsOf, type Sftp } from './sftp.ts';

export interface Entry extends Facts {
  name: string;
}

export interface Folder {
  /** Folders first, then by name. */
  entries: Entry[];
  /** There are more. */
  more: boolean;
  /** Names that no file can have, or that are too long: they are left out. */
  odd: number;
}

/** @throws Problem 409 */
export async function readFolder(sftp: Sftp, path: string): Promise<Folder> {
  const end = performance.now() + sftp.times.folder_ms;
  const handle = await sftp.openFolder(path);
  const folder: Folder = { entries: [], more: false, odd: 0 };
  for (let answers = 0; ; answers += 1) {
    const names = await sftp.names(handle);
    if (names === null) break;
    for (const { filename, attrs } of names) {
      if (filename === '.' || filename === '..') continue;
      if (typeof filename !== 'string' || !isName(filename)) folder.odd += 1;
      else if (folder.entries.length < FILES.entries) folder.entries.push({ name: filename, ...factsOf(attrs) });
      else folder.more = true;
    }
    if (folder.more || answers >= FILES.answers) break;
    if (performance.now() > end) {
      sftp.end();
      throw new Problem('remote_timeout', `${sftp.server} did not name all files of this folder in time.`);
    }
  }
  await sftp.close(handle);
  folder.entries.sort(byKindAndName);
  return folder;
}

function byKindAndName(one: Entry, other: Entry): number {
  if ((one.kind === 'folder') !== (other.kind === 'folder')) return one.kind === 'folder' ? -1 : 1;
  return one.name < other.name ? -1 : 1;
}
