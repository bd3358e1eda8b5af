// The files of a unit: the daemon that reads each, and the grammar of its lines. A file that a daemon reads contains no
// free text of a person, except what the daemon sends to others: texts of DNS and DHCP, in ASCII.
import type { Line } from './grammar-words.ts';

/** How a daemon splits a file into lines. */
export interface Reader {
  /** Bytes that the daemon reads of a line at once; it may read the rest as another line. Null: it reads on. */
  piece: number | null;
  /** Bytes that a line may have, without the byte that ends it. */
  most: number;
  /** A line that begins with a blank goes on the one before it, even where it looks like a comment (RFC 2849). */
  folds?: true;
}

/** A line may have as much as the reader takes at once, less the byte that ends it. */
export const reads = (piece: number): Reader => ({ piece, most: piece - 1 });

export interface UnitFile {
  path: RegExp;
  /** False: written when the unit is activated, and not part of the review. */
  rendered: boolean;
  /** Null: no daemon reads it, and it may hold any text. */
  read: { by: Reader; line: Line } | null;
}

export const file = (path: RegExp, by: Reader, line: Line): UnitFile => ({ path, rendered: true, read: { by, line } });
/** Read by no daemon. */
export const text = (path: RegExp, rendered: boolean): UnitFile => ({ path, rendered, read: null });

/** A line of certificates in PEM: no keyword of any daemon. */
const PEM_LINE = /^(?:-----(?:BEGIN|END) CERTIFICATE-----|[A-Za-z0-9+/]{1,64}={0,2}|)$/;
export const isPemLine: Line = (line) => PEM_LINE.test(line);

/** ASCII, where bytes and characters are the same. */
const PRINTABLE = /^[\t\x20-\x7e]*$/;
/** Without a backslash, which could join the line with the next one. */
const COMMENT = /^[\t ]*(?:#[\x20-\x5b\x5d-\x7e]*)?$/;
/** JSON leaves these control characters as they are. */
const ANY_TEXT = /^[\t\x20-\u{10ffff}]*$/u;

/** The number, from 1, of the first line that does not fit the grammar; null when all fit. Pure. */
export function strangeLine({ read }: Pick<UnitFile, 'read'>, content: string): number | null {
  const at = { section: '' };
  const fits = (line: string): boolean => {
    if (read === null) return ANY_TEXT.test(line);
    if (read.by.folds && /^[\t ]/.test(line)) return false;
    return PRINTABLE.test(line) && line.length <= read.by.most && (COMMENT.test(line) || read.line(line, at));
  };
  const strange = content.split('\n').findIndex((line) => !fits(line));
  return strange < 0 ? null : strange + 1;
}
