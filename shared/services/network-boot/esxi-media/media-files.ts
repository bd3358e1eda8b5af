// The files of unpacked media for the boot listener. The name in a request is looked up in the medium's index and never
// used as a path.
import type { Host } from '../../../ground/machine/host.ts';
import { openOwn } from '../../../ground/machine/own-file.ts';
import type { MediaFile, MediaFiles } from '../boot/media-files.ts';
import { contentPath, type IndexedFile, MEDIUM_ID, mediumFolder, readIndex } from './media-folder.ts';
import { folded } from './member-path.ts';

/** Indexes in memory, at most; an appliance has a handful of media. */
const KEPT = 16;

interface Known {
  folder: string;
  files: ReadonlyMap<string, IndexedFile>;
  anyCase: ReadonlyMap<string, IndexedFile>;
}

/** One instance for the appliance: unpacked media never change, so each index is read once. */
export function mediaFiles(host: Pick<Host, 'resolve'>): MediaFiles {
  const kept = new Map<string, Known>();
  const known = async (id: string): Promise<Known | null> => {
    const found = kept.get(id);
    if (found) return found;
    const folder = mediumFolder(host, id);
    const index = await readIndex(folder);
    if (!index) return null;
    const fresh: Known = {
      folder,
      files: new Map(index.files.map((file) => [file.path, file])),
      anyCase: new Map(index.files.map((file) => [folded(file.path), file])),
    };
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value!);
    kept.set(id, fresh);
    return fresh;
  };
  return {
    async find(media_id, name) {
      if (!MEDIUM_ID.test(media_id)) return null;
      const medium = await known(media_id);
      const file = medium?.files.get(name) ?? medium?.anyCase.get(folded(name));
      return medium && file ? opened(medium.folder, file) : null;
    },
  };
}

/** A link, or a file with a second name, counts as lost: the medium's page and a plan show that, see losses.ts. */
function opened(folder: string, { path, size, sha256 }: IndexedFile): MediaFile {
  const open = async () => (await openOwn(folder, contentPath('', path))).file;
  return { size, etag: `"${sha256.slice(0, 32)}"`, open };
}
