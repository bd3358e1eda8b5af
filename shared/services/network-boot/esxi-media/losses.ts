// Whether the files of a ready medium are still there. Somebody may have cleared the disk, or restored the database
// without them.
import { lstat } from 'node:fs/promises';
import type { Host } from '../../../ground/machine/host.ts';
import { shown } from './limits.ts';
import { contentPath, mediumFolder, readIndex } from './media-folder.ts';

/** What to do. Replacing the files of a medium under the same id is not possible. */
const WAY_OUT = 'Restore its files, or add the image as another medium and give that to its hosts.';

/** What is missing of a medium and what to do, for people; null: all files of its index exist with their sizes. */
export async function mediumLoss(host: Pick<Host, 'resolve'>, id: string): Promise<string | null> {
  const folder = mediumFolder(host, id);
  const index = await readIndex(folder).catch(() => 'damaged' as const);
  if (index === null) return `its files are not on the appliance. ${WAY_OUT}`;
  if (index === 'damaged') return `the index of its files is damaged. ${WAY_OUT}`;
  const whole = await Promise.all(
    index.files.map(async ({ path, size }) => {
      const found = await lstat(contentPath(folder, path)).catch(() => null);
      return found?.isFile() === true && found.nlink === 1 && found.size === size;
    }),
  );
  const lost = index.files.filter((_file, at) => !whole[at]);
  if (lost.length === 0) return null;
  const more = lost.length > 1 ? ` and ${lost.length - 1} more of its files are` : ' is';
  return `${shown(lost[0]!.path)}${more} missing, cut short, or a link. ${WAY_OUT}`;
}
