// Names of a medium's files. Whatever an image says, a file's path is made of plain names below the medium's own folder,
// and no two files are told apart by anything but their names regardless of case.
import { LIMITS, MediaFault, shown } from './limits.ts';
import type { Member } from './source.ts';

/** Printable ASCII without what a file system or a URL takes for something else. */
const PLAIN = /^[A-Za-z0-9 ._+~@%=,#&!()[\]{}$^'`;-]+$/;
const ONLY_DOTS = /^\.+$/;
/** Windows and ISO 9660 tools drop them, so that two names become one. */
const EDGES = /^ |[ .]$/;

/**
 * The path of a member from its names, outermost first.
 * @throws MediaFault for a name that is empty, leads elsewhere, or holds anything but plain characters; for one or a path
 *   that is too long or too deep.
 */
export function memberPath(names: readonly string[]): string {
  const path = names.join('/');
  if (names.length === 0) throw new MediaFault('A member of the medium has no name.');
  if (names.length > LIMITS.depth) throw new MediaFault(`${shown(path)} lies deeper than ${LIMITS.depth} folders.`);
  if (path.length > LIMITS.path)
    throw new MediaFault(`The path ${shown(path)} is longer than ${LIMITS.path} characters.`);
  for (const name of names) {
    if (name.length > LIMITS.name)
      throw new MediaFault(`The name ${shown(name)} is longer than ${LIMITS.name} characters.`);
    if (!PLAIN.test(name) || ONLY_DOTS.test(name) || EDGES.test(name)) {
      throw new MediaFault(`${shown(path)} is not the path of a file below the medium’s own folder.`);
    }
  }
  return path;
}

/** How names are compared: loaders ask in the case of boot.cfg, which is not always that of the image. */
export const folded = (path: string): string => path.toLowerCase();

/** @throws MediaFault for too many, too large, for one path twice, and for a file where others have a folder. */
export function refuseUnfit(members: readonly Member[]): void {
  if (members.length === 0) throw new MediaFault('The medium holds no file.');
  if (members.length > LIMITS.members) throw new MediaFault(`The medium holds more than ${LIMITS.members} files.`);
  const files = new Set<string>();
  let total = 0;
  for (const { path, size } of members) {
    const key = folded(path);
    if (files.has(key)) throw new MediaFault(`${shown(path)} is in the medium twice.`);
    files.add(key);
    if (!(size >= 0) || size > LIMITS.file) throw new MediaFault(`${shown(path)} is larger than ${LIMITS.file} bytes.`);
    total += size;
  }
  if (total > LIMITS.total)
    throw new MediaFault(`The files of the medium are larger than ${LIMITS.total} bytes in all.`);
  for (const { path } of members) {
    for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
      if (files.has(folded(path.slice(0, cut)))) {
        throw new MediaFault(`${shown(path.slice(0, cut))} is both a file and a folder.`);
      }
    }
  }
}
