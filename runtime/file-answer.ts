// What a request for a file is answered by its conditions and its range (RFC 9110, 13 and 14), as nginx does it: clients of
// a depot were written against that. Pure.

export interface FileFacts {
  size: number;
  /** Strong, with its quotes. */
  etag: string;
  /** Time of its last change, milliseconds since 1970. */
  modified: number;
}

export interface FileAnswer {
  status: 200 | 206 | 304 | 412 | 416;
  headers: Record<string, string | number>;
  /** What of the file is sent, both ends included; null: nothing. */
  range: { start: number; end: number } | null;
}

type Condition = 'range' | 'if-range' | 'if-match' | 'if-none-match' | 'if-modified-since' | 'if-unmodified-since';
/** Of a request; Node knows none of these as a list. */
export type Conditions = { [name in Condition]?: string };

/** HEAD is answered as GET is, without the bytes: whoever adds up sizes beforehand must not be told another one. */
export function fileAnswer(headers: Conditions, { size, etag, modified }: FileFacts): FileAnswer {
  const since = Math.floor(modified / 1000) * 1000;
  const about = { etag, 'last-modified': new Date(since).toUTCString() };
  const refused = (status: 304 | 412): FileAnswer => ({
    status,
    headers: status === 304 ? about : { 'content-length': 0 },
    range: null,
  });
  const unmodified = timeOf(headers['if-unmodified-since']);
  if (unmodified !== null && since > unmodified) return refused(412);
  if (headers['if-match'] !== undefined && !names(headers['if-match'], etag, false)) return refused(412);
  if (known(headers, etag, since)) return refused(304);
  const wanted = stillThe(headers['if-range'], etag, since) ? rangeOf(headers.range, size) : null;
  if (wanted === 'none') {
    return { status: 416, headers: { 'content-range': `bytes */${size}`, 'content-length': 0 }, range: null };
  }
  const range = wanted ?? { start: 0, end: size - 1 };
  const length = range.end - range.start + 1;
  return {
    status: wanted ? 206 : 200,
    headers: {
      ...about,
      'content-length': length,
      ...(wanted ? { 'content-range': `bytes ${range.start}-${range.end}/${size}` } : { 'accept-ranges': 'bytes' }),
    },
    range: length > 0 ? range : null,
  };
}

/** Null for what is no date. */
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

/** A date counts only where no tag is sent, and only as the same date: a file that was put back is another one. */
function known(headers: Conditions, etag: string, since: number): boolean {
  if (headers['if-none-match'] !== undefined) return names(headers['if-none-match'], etag, true);
  return timeOf(headers['if-modified-since']) === since;
}

/** Whether a part still fits to what the client has. */
function stillThe(condition: string | undefined, etag: string, since: number): boolean {
  if (condition === undefined) return true;
  return condition.startsWith('"') ? condition === etag : timeOf(condition) === since;
}

type Part = { start: number; end: number };

/**
 * Null: the whole file, which is also the answer to several parts and to other units than bytes. `none`: none of it is in
 * the file, or it can't be read.
 */
function rangeOf(header: string | undefined, size: number): Part | null | 'none' {
  if (header === undefined || !/^bytes=/i.test(header)) return null;
  const parts: Part[] = [];
  for (const text of header.slice('bytes='.length).split(',')) {
    const [, first, last] = /^\s*(\d{0,18})\s*-\s*(\d{0,18})\s*$/.exec(text) ?? [];
    if (first === undefined || last === undefined || first + last === '') return 'none';
    const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
    const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
    if (start <= end) parts.push({ start, end });
    else if (start === 0) return null;
  }
  if (parts.length > 1) return null;
  return parts[0] ?? 'none';
}
