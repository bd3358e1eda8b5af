// Reads an ESXi image as ISO 9660 (ECMA-119): names by Rock Ridge, else by Joliet, else by the base standard. Images
// are not trusted: every number is checked against the size of the image before it is used.
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import { Readable } from 'node:stream';
import { openOwn } from '../../../ground/machine/own-file.ts';
import { LIMITS, MediaFault, shown } from './limits.ts';
import { memberPath } from './member-path.ts';
import type { MediaSource, Member } from './source.ts';
import { readRockRidge, skipOf } from './susp.ts';

const SECTOR = 2048;
const FIRST_DESCRIPTOR = 16;
const DESCRIPTORS_MOST = 32;
/** Bytes of one directory; a record takes about a hundred. */
const DIRECTORY_MOST = 8 << 20;
/** Bytes of all directories, and records in all of them: each folder has two for itself and the one above. */
const DIRECTORIES_MOST = 64 << 20;
const RECORDS_MOST = LIMITS.members + 4 * LIMITS.folders;
const LEFT = { bytes: DIRECTORIES_MOST, records: RECORDS_MOST };
/** Bytes of a file that are read at once. */
const READ_AT_ONCE = 1 << 20;
const RECORD_HEAD = 33;
const FLAG = { folder: 2, associated: 4, goesOn: 0x80 } as const;
/** Escape sequences of the three levels of Joliet. */
const JOLIET = new Set(['%/@', '%/C', '%/E']);
const CONTINUATION_MOST = 8 * SECTOR;

interface Extent {
  sector: number;
  size: number;
}

interface Record extends Extent {
  flags: number;
  name: Buffer;
  use: Buffer;
}

interface Tree {
  root: Extent;
  names: 'rock-ridge' | 'joliet' | 'plain';
  skip: number;
}

const NOT_OWN = {
  missing: 'is not there any more',
  folder: 'is a folder',
  link: 'is a link, or has a second name elsewhere (hard link)',
  other: 'is no regular file',
} as const;

/**
 * @param root folder below which others may write; default: the file's own folder
 * @throws MediaFault when the file is no ISO 9660 image, or a link
 */
export async function openIso(path: string, root = dirname(path)): Promise<MediaSource> {
  // The opened file is read to the end, even if another one gets its name meanwhile.
  const own = await openOwn(root, relative(root, path));
  if (own.file === null) throw new MediaFault(`${shown(basename(path))} ${NOT_OWN[own.is]}.`);
  const { file: handle } = own;
  try {
    const { size } = own.stats;
    if (size > LIMITS.image) throw new MediaFault(`The image is larger than ${LIMITS.image} bytes.`);
    const image = new Image(handle, size);
    const tree = await image.tree();
    return { members: () => image.members(tree), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

class Image {
  readonly #handle: FileHandle;
  readonly #size: number;
  /**
   * Bytes and records left for directories. They can overlap, so that even a small image could have many large ones.
   */
  #left = { ...LEFT };

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.#size = size;
  }

  async #read(sector: number, offset: number, length: number): Promise<Buffer> {
    const at = sector * SECTOR + offset;
    if (at + length > this.#size) throw new MediaFault('The image points beyond its own end.');
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await this.#handle.read(bytes, 0, length, at);
    if (bytesRead !== length) throw new MediaFault('The image ends early.');
    return bytes;
  }

  /** The directory tree with the best names of the image. */
  async tree(): Promise<Tree> {
    let plain: Extent | null = null;
    let joliet: Extent | null = null;
    for (let at = 0; at < DESCRIPTORS_MOST; at += 1) {
      if ((FIRST_DESCRIPTOR + at + 1) * SECTOR > this.#size) break;
      const descriptor = await this.#read(FIRST_DESCRIPTOR + at, 0, SECTOR);
      if (descriptor.toString('latin1', 1, 6) !== 'CD001') break;
      const type = descriptor[0];
      if (type === 255) break;
      if (type !== 1 && type !== 2) continue;
      if (descriptor.readUInt16LE(128) !== SECTOR)
        throw new MediaFault('The image has sectors of another size than 2048.');
      const root = extentOf(descriptor, 156);
      if (type === 1) plain ??= root;
      else if (JOLIET.has(descriptor.toString('latin1', 88, 91))) joliet ??= root;
    }
    if (!plain) throw new MediaFault('The file is not an ISO 9660 image.');
    const [self] = await this.#records(plain);
    const skip = self ? skipOf(self.use) : null;
    if (skip !== null) return { root: plain, names: 'rock-ridge', skip };
    return joliet ? { root: joliet, names: 'joliet', skip: 0 } : { root: plain, names: 'plain', skip: 0 };
  }

  async #records({ sector, size }: Extent): Promise<Record[]> {
    this.#left.bytes -= size;
    if (size > DIRECTORY_MOST || this.#left.bytes < 0) throw new MediaFault('A folder of the image is too large.');
    const bytes = await this.#read(sector, 0, size);
    const records: Record[] = [];
    for (let at = 0; at < bytes.length; ) {
      const length = bytes[at]!;
      // No record crosses a sector: the rest of this one is empty.
      if (length === 0) {
        at = (Math.floor(at / SECTOR) + 1) * SECTOR;
        continue;
      }
      const nameLength = bytes[at + 32] ?? 0;
      if (length < RECORD_HEAD + nameLength || at + length > bytes.length) {
        throw new MediaFault('A directory record of the image is damaged.');
      }
      const name = bytes.subarray(at + RECORD_HEAD, at + RECORD_HEAD + nameLength);
      const use = bytes.subarray(
        Math.min(at + length, at + RECORD_HEAD + nameLength + ((nameLength + 1) % 2)),
        at + length,
      );
      if (bytes[at + 26] !== 0 || bytes[at + 27] !== 0)
        throw new MediaFault(`${shown(name.toString('latin1'))} is interleaved.`);
      this.#left.records -= 1;
      if (this.#left.records < 0) throw new MediaFault(`The image has more than ${RECORDS_MOST} directory records.`);
      records.push({ ...extentOf(bytes, at), flags: bytes[at + 25]!, name, use });
      at += length;
    }
    return records;
  }

  /** Folder by folder. A folder that is reached twice is a loop, whatever its name. */
  async members(tree: Tree): Promise<Member[]> {
    this.#left = { ...LEFT };
    const members: Member[] = [];
    const seen = new Set<number>();
    const waiting: { extent: Extent; names: string[] }[] = [{ extent: tree.root, names: [] }];
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (seen.has(next.extent.sector))
        throw new MediaFault(`The folder ${shown(next.names.join('/'))} is in the image twice.`);
      seen.add(next.extent.sector);
      // The first two records are the folder itself and the one above.
      for (const record of (await this.#records(next.extent)).slice(2)) {
        if ((record.flags & FLAG.associated) !== 0) continue;
        const names = [...next.names, await this.#nameOf(tree, record)];
        const path = memberPath(names);
        if ((record.flags & FLAG.folder) !== 0) {
          // Checked before the folder is queued, which takes memory.
          if (seen.size + waiting.length >= LIMITS.folders)
            throw new MediaFault(`The image has more than ${LIMITS.folders} folders.`);
          waiting.push({ extent: record, names });
          continue;
        }
        if ((record.flags & FLAG.goesOn) !== 0) throw new MediaFault(`${shown(path)} is stored in several pieces.`);
        if (members.length >= LIMITS.members)
          throw new MediaFault(`The image holds more than ${LIMITS.members} files.`);
        members.push(this.#member(path, record));
      }
    }
    return members;
  }

  async #nameOf({ names, skip }: Tree, record: Record): Promise<string> {
    if (names === 'joliet') return withoutVersion(bigEndian(record.name));
    if (names === 'plain') return withoutVersion(record.name.toString('latin1'));
    const { name, kind, special } = await readRockRidge(record.use, skip, (sector, offset, length) => {
      if (length > CONTINUATION_MOST) throw new MediaFault('A directory record of the image is too large.');
      return this.#read(sector, offset, length);
    });
    const told = name ?? withoutVersion(record.name.toString('latin1'));
    if (special !== null) throw new MediaFault(`${shown(told)} is relocated, compressed or sparse (${special}).`);
    const wanted = (record.flags & FLAG.folder) === 0 ? 'file' : 'folder';
    if (kind !== null && kind !== wanted) throw new MediaFault(`${shown(told)} is a ${kind}, not a ${wanted}.`);
    return told;
  }

  #member(path: string, { sector, size }: Extent): Member {
    const start = sector * SECTOR;
    if (size > 0 && start + size > this.#size) throw new MediaFault(`${shown(path)} is beyond the end of the image.`);
    return { path, size, open: () => Readable.from(this.#bytes(start, start + size), { highWaterMark: 1 }) };
  }

  /** The bytes from `start` up to `end`; fewer when the image ends before. */
  async *#bytes(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; ) {
      const { bytesRead, buffer } = await this.#handle.read({
        buffer: Buffer.allocUnsafe(Math.min(READ_AT_ONCE, end - at)),
        position: at,
      });
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
}

/** Extent of the directory record at `at`, with its extended attributes skipped. */
function extentOf(bytes: Buffer, at: number): Extent {
  return { sector: bytes.readUInt32LE(at + 2) + bytes[at + 1]!, size: bytes.readUInt32LE(at + 10) };
}

/** `BOOT.CFG;1` → `BOOT.CFG`, `README.;1` → `README`. */
const withoutVersion = (name: string): string => name.replace(/;\d+$/, '').replace(/\.$/, '');

function bigEndian(name: Buffer): string {
  return Buffer.from(name.subarray(0, name.length - (name.length % 2)))
    .swap16()
    .toString('utf16le');
}
