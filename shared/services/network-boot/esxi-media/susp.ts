// The system use area of a directory record, for Rock Ridge on ISO 9660 (SUSP 1.12, RRIP 1.12). It has names, and shows
// links, devices and relocated folders, so that these can be refused.
import { MediaFault } from './limits.ts';

export interface RockRidge {
  /** Null: the record has no name of its own here. */
  name: string | null;
  kind: 'file' | 'folder' | 'link' | 'device' | 'special file' | null;
  /** Moved elsewhere in the tree, compressed, or sparse: `CL`, `RE`, `ZF`, `SF`. */
  special: string | null;
}

/** Reads a continuation area: `length` bytes at `offset` of a sector. */
export type ReadArea = (sector: number, offset: number, length: number) => Promise<Buffer>;

const CONTINUATIONS_MOST = 16;
const HEAD = 4;
/** S_IFMT of a mode → kind. A map, because a formatter may rewrite octal keys of an object. */
const KIND_OF_MODE: ReadonlyMap<number, RockRidge['kind']> = new Map([
  [0o040000, 'folder'],
  [0o100000, 'file'],
  [0o120000, 'link'],
  [0o060000, 'device'],
  [0o020000, 'device'],
]);
const KIND_MASK = 0o170000;
/** Flags of NM: the name continues; it means the folder itself; it means the folder above. */
const NAME_GOES_ON = 1;
const NAME_IS_DOT = 2;
const NAME_IS_DOT_DOT = 4;

/** Bytes to skip in each system use area, from `SP` in the first record of the root; null: no Rock Ridge. */
export function skipOf(area: Buffer): number | null {
  const marked = area.length >= 7 && area.toString('latin1', 0, 2) === 'SP' && area[4] === 0xbe && area[5] === 0xef;
  return marked ? area[6]! : null;
}

export async function readRockRidge(area: Buffer, skip: number, read: ReadArea): Promise<RockRidge> {
  const found: RockRidge = { name: null, kind: null, special: null };
  const names: Buffer[] = [];
  let rest: Buffer | null = area.subarray(skip);
  for (let areas = 0; rest !== null; areas += 1) {
    if (areas > CONTINUATIONS_MOST) throw new MediaFault('A directory record of the image goes on without end.');
    // Read after this area, and only one: nobody would wait for a second read.
    let next: Parameters<ReadArea> | null = null;
    for (let at = 0; at + HEAD <= rest.length; ) {
      const length = rest[at + 2]!;
      if (length < HEAD || at + length > rest.length) break;
      const signature = rest.toString('latin1', at, at + 2);
      if (signature === 'ST') break;
      if (signature === 'CE' && length >= 28) {
        next = [rest.readUInt32LE(at + 4), rest.readUInt32LE(at + 12), rest.readUInt32LE(at + 20)];
      }
      take(signature, rest.subarray(at + HEAD, at + length), found, names);
      at += length;
    }
    rest = next === null ? null : await read(...next);
  }
  return { ...found, name: names.length === 0 ? null : nameOf(Buffer.concat(names)) };
}

function take(signature: string, data: Buffer, found: RockRidge, names: Buffer[]): void {
  if (signature === 'NM' && data.length >= 1) {
    const flags = data[0]!;
    if ((flags & (NAME_IS_DOT | NAME_IS_DOT_DOT)) === 0) names.push(data.subarray(1));
    else names.push(Buffer.from((flags & NAME_IS_DOT) === 0 ? '..' : '.'));
    if (names.length > 1 && (flags & NAME_GOES_ON) === 0 && Buffer.concat(names).length > 1024) {
      throw new MediaFault('A name of the image is longer than 1024 bytes.');
    }
  }
  if (signature === 'PX' && data.length >= 4) {
    found.kind = KIND_OF_MODE.get(data.readUInt32LE(0) & KIND_MASK) ?? 'special file';
  }
  if (signature === 'SL') found.kind = 'link';
  if (signature === 'PN') found.kind = 'device';
  if (['CL', 'RE', 'ZF', 'SF'].includes(signature)) found.special = signature;
}

/** A name that is not UTF-8 gets a character that is refused later. */
const nameOf = (bytes: Buffer): string => bytes.toString('utf8');
