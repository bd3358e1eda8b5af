// Names of a medium's files. Whatever an image contains, a path is made of plain names below the medium's own folder,
// and no two paths differ only in case.
import { LIMITS, MediaFault, shown } from './limits.ts';
import type { Member } from './source.ts';

/** Printable ASCII without characters that have a meaning in a file system or URL. */
const PLAIN = /^[A-Za-z0-9 ._+~@%=,#&!()[\]{}$^'`;-]+$/;
const ONLY_DOTS = /^\.+$/;
/** Windows and ISO 9660 tools drop these characters, so that two names could become one. */
const EDGES = /^ |[ .]$/;

/**
 * The path of a member from its names, outermost first.
 * @throws MediaFault for a name that is empty, `.` or `..`, or has other than plain characters; for a name or path that
 * is too
 *   long or too deep.
 */
export function memberPath(names: readonly string[]): string {
  const path = names.join('/');
  if (names.length === 0) throw new MediaFault('A member of the medium has no name.');
  if (names.length > LIMITS.depth) throw new MediaFault(`${shown(path)} is deeper than ${LIMITS.depth} folders.`);
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

/** Names are compared regardless of case: loaders use the case of boot.cfg, which may differ from that of the image. */
export const folded = (path: string): string => path.toLowerCase();

/** @throws MediaFault for too many or too large files, for a path twice, and for a file at the path of a folder. */
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
