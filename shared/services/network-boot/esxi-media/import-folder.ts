// The one folder from which media are imported: below the data folder, where an administrator copies images to. Not the
// data folder itself, whose keys and database could be served to machines that boot.
import type { Stats } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { invalid } from '../../../ground/problems.ts';
import { openFolder } from './folder.ts';
import { openIso } from './iso9660.ts';
import { MediaFault } from './limits.ts';
import { memberPath } from './member-path.ts';
import type { MediaSource } from './source.ts';

/** Below the data folder. */
export const IMPORT_FOLDER = 'import';

const gone = (data: string): string =>
  `There is no such image or folder below ${join(resolve(data), IMPORT_FOLDER)} on the appliance.`;

interface Found {
  /** The import folder itself. */
  root: string;
  full: string;
  stats: Stats;
}

/** Looks up a path of the import folder without following links. @throws MediaFault */
async function found(data: string, path: string): Promise<Found> {
  const names = path.split('/').filter((name) => name !== '');
  const plain = memberPath(names);
  const missing = () => new MediaFault(gone(data));
  const root = await realpath(join(data, IMPORT_FOLDER)).catch(() => Promise.reject(missing()));
  const full = join(root, plain);
  const [real, stats] = await Promise.all([realpath(full), lstat(full)]).catch(() => Promise.reject(missing()));
  if (real !== full || !(stats.isFile() || stats.isDirectory())) throw missing();
  return { root, full, stats };
}

/** @throws Problem 422 at `/path`. */
export async function refuseMissing(data: string, path: string): Promise<void> {
  await found(data, path).catch((error: Error) => {
    if (!(error instanceof MediaFault)) throw error;
    throw invalid({ pointer: '/path', detail: error.message });
  });
}

/** @throws MediaFault */
export async function openImport(data: string, path: string): Promise<MediaSource> {
  const { root, full, stats } = await found(data, path);
  return stats.isDirectory() ? openFolder(full) : openIso(full, root);
}

/** Names at the top of the import folder that could be media; none while there is no folder. At most a hundred. */
export async function listImports(data: string): Promise<string[]> {
  const entries = await readdir(join(data, IMPORT_FOLDER), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() || (entry.isFile() && /\.iso$/i.test(entry.name)))
    .map(({ name }) => name)
    .sort()
    .slice(0, 100);
}
