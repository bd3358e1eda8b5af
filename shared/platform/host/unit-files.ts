// The files that a unit puts on the appliance: who reads each, and what each line of it may be. Nothing that a person wrote
// stands in one that a daemon reads, but what the daemon is to tell others: texts of DNS and DHCP, in ASCII.
import type { Line } from './grammar-words.ts';

/** How a daemon takes a file apart. */
export interface Reader {
  /** Bytes that it takes of a line at once; what is beyond, it may read as a line of its own. Null: it reads on. */
  piece: number | null;
  /** Bytes that a line may have here, without the one that ends it. */
  most: number;
}

/** A line is what the reader takes at once, without the byte that ends it. */
export const reads = (piece: number): Reader => ({ piece, most: piece - 1 });

export interface UnitFile {
  path: RegExp;
  /** False: made when the unit is put in force, and no part of what is reviewed. */
  rendered: boolean;
  /** Null: no daemon reads it, and it may hold any text. */
  read: { by: Reader; line: Line } | null;
}

export const file = (path: RegExp, by: Reader, line: Line): UnitFile => ({ path, rendered: true, read: { by, line } });
/** Read by no daemon. */
export const text = (path: RegExp, rendered: boolean): UnitFile => ({ path, rendered, read: null });

/** ASCII: a byte is a character, for whoever counts either. */
const PRINTABLE = /^[\t\x20-\x7e]*$/;
/** Without a backslash, by which a line could go on in the next one. */
const COMMENT = /^[\t ]*(?:#[\x20-\x5b\x5d-\x7e]*)?$/;
/** JSON leaves these control characters as they are. */
const ANY_TEXT = /^[\t\x20-\u{10ffff}]*$/u;

/** The number of the first line, from 1, that may not stand in the file; null when all may. Pure. */
export function strangeLine({ read }: Pick<UnitFile, 'read'>, content: string): number | null {
  const at = { section: '' };
  const fits = (line: string): boolean => {
    if (read === null) return ANY_TEXT.test(line);
    return PRINTABLE.test(line) && line.length <= read.by.most && (COMMENT.test(line) || read.line(line, at));
  };
  const strange = content.split('\n').findIndex((line) => !fits(line));
  return strange < 0 ? null : strange + 1;
}
