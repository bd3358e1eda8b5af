// What a request for a file is answered by its conditions and its range (RFC 9110, 13 and 14), as nginx does it:
// clients of a depot were written against that. Pure.

export interface FileFacts {
  size: number;
  /** Strong, with its quotes. */
  etag: string;
  /** Time of its last change, milliseconds since 1970. */
  modified: number;
  /** Its content type. */
  type: string;
}

/** Of a file, both ends included. */
export interface Part {
  start: number;
  end: number;
}

export interface FileAnswer {
  status: 200 | 206 | 304 | 412 | 416;
  headers: Record<string, string | number>;
  /** The body, in this order: parts of the file, and the text (ASCII) around several parts. */
  pieces: readonly (Part | string)[];
}

/** More parts of one file than this are answered with the whole of it: each costs reads and writes of its own. */
export const MOST_PARTS = 16;

type Condition = 'range' | 'if-range' | 'if-match' | 'if-none-match' | 'if-modified-since' | 'if-unmodified-since';
/** Of a request; Node knows none of these as a list. */
export type Conditions = { [name in Condition]?: string };

/**
 * HEAD is answered like GET, without the bytes: clients that add up sizes must get the same one. `boundary` is called
 * only for several parts; its text must be one that no author of a file could predict.
 */
export function fileAnswer(headers: Conditions, facts: FileFacts, boundary: () => string): FileAnswer {
  const { size, etag, modified, type } = facts;
  const since = Math.floor(modified / 1000) * 1000;
  const about = { etag, 'last-modified': new Date(since).toUTCString() };
  const refused = (status: 304 | 412): FileAnswer => ({
    status,
    headers: status === 304 ? about : { 'content-length': 0 },
    pieces: [],
  });
  const unmodified = timeOf(headers['if-unmodified-since']);
  if (unmodified !== null && since > unmodified) return refused(412);
  if (headers['if-match'] !== undefined && !names(headers['if-match'], etag, false)) return refused(412);
  if (known(headers, etag, since)) return refused(304);
  const wanted = stillThe(headers['if-range'], etag, since) ? partsOf(headers.range, size) : null;
  if (wanted === 'none') {
    return { status: 416, headers: { 'content-range': `bytes */${size}`, 'content-length': 0 }, pieces: [] };
  }
  if (wanted === null) {
    return {
      status: 200,
      headers: { ...about, 'content-type': type, 'content-length': size, 'accept-ranges': 'bytes' },
      pieces: size > 0 ? [{ start: 0, end: size - 1 }] : [],
    };
  }
  const [part] = wanted;
  const sent =
    part && wanted.length === 1
      ? { pieces: [part], about: { 'content-type': type, 'content-range': inFile(part, size) } }
      : severalParts(wanted, facts, boundary());
  const length = sent.pieces.reduce((sum: number, piece) => sum + bytesOf(piece), 0);
  return { status: 206, headers: { ...about, ...sent.about, 'content-length': length }, pieces: sent.pieces };
}

const inFile = ({ start, end }: Part, size: number): string => `bytes ${start}-${end}/${size}`;
const bytesOf = (piece: Part | string): number =>
  typeof piece === 'string' ? piece.length : piece.end - piece.start + 1;

/** Each part below headers of its own, between boundaries (RFC 9110, 14.6), to the byte as nginx writes it. */
function severalParts(parts: readonly Part[], { size, type }: FileFacts, boundary: string) {
  const head = (part: Part): string =>
    `\r\n--${boundary}\r\nContent-Type: ${type}\r\nContent-Range: ${inFile(part, size)}\r\n\r\n`;
  return {
    pieces: [...parts.flatMap((part) => [head(part), part]), `\r\n--${boundary}--\r\n`],
    about: { 'content-type': `multipart/byteranges; boundary=${boundary}` },
  };
}

/** Null for a text that is no date. */
function timeOf(text: string | undefined): number | null {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

/** Whether a list of tags has this one; weakly where only bytes that mean the same are asked for. */
function names(list: string, etag: string, weakly: boolean): boolean {
  if (list.trim() === '*') return true;
  const tags = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => tag === etag || (weakly && tag === `W/${etag}`));
}

/** A date counts only without a tag, and only as the same date: a restored older file is another one. */
function known(headers: Conditions, etag: string, since: number): boolean {
  if (headers['if-none-match'] !== undefined) return names(headers['if-none-match'], etag, true);
  return timeOf(headers['if-modified-since']) === since;
}

/** Whether a part still fits to what the client has. */
function stillThe(condition: string | undefined, etag: string, since: number): boolean {
  if (condition === undefined) return true;
  return condition.startsWith('"') ? condition === etag : timeOf(condition) === since;
}

/**
 * The parts in the order they were asked for. Null: the whole file, which is also the answer to other units than bytes,
 * to too many parts, and to parts that are longer than the file together. `none`: none of it is in the file, or it
 * can't be read. A last position beyond the end is the end, of however many digits it is (RFC 9110, 14.1.2).
 */
function partsOf(header: string | undefined, size: number): Part[] | null | 'none' {
  if (header === undefined || !/^bytes=/i.test(header)) return null;
  const parts: Part[] = [];
  let sum = 0;
  for (const text of header.slice('bytes='.length).split(',')) {
    const [, first, last] = /^(\d*)\s*-\s*(\d*)$/.exec(text.trim()) ?? [];
    if (first === undefined || last === undefined || first + last === '') return 'none';
    const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
    const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
    if (start > end) {
      if (start === 0) return null;
      continue;
    }
    if (parts.length === MOST_PARTS) return null;
    parts.push({ start, end });
    sum += end - start + 1;
  }
  if (sum > size) return null;
  return parts.length > 0 ? parts : 'none';
}
