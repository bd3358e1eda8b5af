// Which parts of a file are sent for a range, and how many bytes are told for them.
import { describe, expect, test } from '@jest/globals';
import { fileAnswer, MOST_PARTS, type Part } from '../../runtime/file-answer.ts';

const BOUNDARY = '00000000000123456789';
const FILE = { etag: '"a"', modified: 1_700_000_000_000, type: 'text/plain' };

function answered(range: string, size: number, more: object = {}) {
  let drawn = 0;
  const { status, headers, pieces } = fileAnswer({ range, ...more }, { ...FILE, size }, () => {
    drawn += 1;
    return BOUNDARY;
  });
  const parts = pieces.filter((piece): piece is Part => typeof piece !== 'string');
  return { status, headers, pieces, drawn, parts: parts.map(({ start, end }) => `${start}-${end}`).join() };
}

const many = (count: number): string => Array.from({ length: count }, (_, at) => `${at}-${at}`).join();

/** Of a file of 100 bytes. */
const RANGES: [what: string, range: string, status: number, parts: string][] = [
  ['two', 'bytes=0-1,5-6', 206, '0-1,5-6'],
  ['in the order that was asked', 'bytes=50-59,0-9,20-29', 206, '50-59,0-9,20-29'],
  ['overlapping', 'bytes=0-9,5-14', 206, '0-9,5-14'],
  ['the same twice', 'bytes=0-9,0-9', 206, '0-9,0-9'],
  ['with the last bytes', 'bytes=0-1,-3', 206, '0-1,97-99'],
  ['cut at the end', 'bytes=0-1,90-999', 206, '0-1,90-99'],
  ['one that ends far beyond the file', `bytes=0-${'9'.repeat(20)}`, 206, '0-99'],
  ['the last bytes, more than there are', `bytes=-${'9'.repeat(20)}`, 206, '0-99'],
  ['one that begins far beyond the file', `bytes=${'9'.repeat(20)}-`, 416, ''],
  ['spaces between them', 'bytes= 0-1 , 5 - 6 ', 206, '0-1,5-6'],
  ['one usable is no list', 'bytes=0-1,100-', 206, '0-1'],
  ['none usable', 'bytes=100-,200-', 416, ''],
  ['one that is none spoils all', 'bytes=0-1,x', 416, ''],
  ['an empty one as well', 'bytes=0-1,,5-6', 416, ''],
  ['as long as the file together', 'bytes=50-,0-49', 206, '50-99,0-49'],
  ['longer than the file together', 'bytes=50-,0-50', 200, '0-99'],
  ['as many as are sent', `bytes=${many(MOST_PARTS)}`, 206, many(MOST_PARTS)],
  ['more than are sent', `bytes=${many(MOST_PARTS + 1)}`, 200, '0-99'],
  ['those past the end do not count', `bytes=${'100-,'.repeat(40)}${many(MOST_PARTS)}`, 206, many(MOST_PARTS)],
];

describe('parts', () => {
  test.each(RANGES)('%s', (_what, range, status, parts) => {
    const found = answered(range, 100);
    expect([found.status, found.parts]).toEqual([status, parts]);
  });

  test('headers of their own between boundaries', () => {
    const { headers, pieces } = answered('bytes=0-1,-3', 100);
    const head = (of: string) =>
      `\r\n--${BOUNDARY}\r\nContent-Type: text/plain\r\nContent-Range: bytes ${of}/100\r\n\r\n`;
    const end = `\r\n--${BOUNDARY}--\r\n`;
    expect(pieces).toEqual([head('0-1'), { start: 0, end: 1 }, head('97-99'), { start: 97, end: 99 }, end]);
    expect(headers).toEqual({
      etag: FILE.etag,
      'last-modified': 'Tue, 14 Nov 2023 22:13:20 GMT',
      'content-type': `multipart/byteranges; boundary=${BOUNDARY}`,
      // Two heads, their parts, the end.
      'content-length': 84 + 2 + (86 + 3) + 28,
    });
  });

  test('of another file than the client has: the whole', () => {
    const range = 'bytes=0-1,5-6';
    expect(answered(range, 100, { 'if-range': '"a"' })).toMatchObject({ status: 206, parts: '0-1,5-6' });
    expect(answered(range, 100, { 'if-range': '"b"' })).toMatchObject({ status: 200, parts: '0-99', drawn: 0 });
    expect(answered(range, 100, { 'if-none-match': '"a"' })).toMatchObject({ status: 304, parts: '' });
  });

  test('whatever is asked: as many bytes as are told, all of the file, and no more than it has', () => {
    // Small numbers in a sequence that is the same each time: most of them meet an edge.
    let state = 7;
    const next = (below: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const part = (): string => {
      const first = next(4) === 0 ? '' : String(next(45));
      return `${first}-${first !== '' && next(8) === 0 ? '' : next(45)}`;
    };
    const seen = new Set<string>();
    for (let round = 0; round < 1000; round += 1) {
      const size = next(40);
      const range = `bytes=${Array.from({ length: 1 + next(MOST_PARTS + 3) }, part).join()}`;
      const { status, headers, pieces, parts, drawn } = answered(range, size);
      const list = parts.split(',').filter(Boolean);
      const sizes = pieces.map((piece) => (typeof piece === 'string' ? piece.length : piece.end - piece.start + 1));
      const inFile = pieces.every(
        (piece) => typeof piece === 'string' || (piece.start <= piece.end && piece.end < size),
      );
      const file = pieces.reduce((sum, piece, at) => sum + (typeof piece === 'string' ? 0 : sizes[at]!), 0);
      expect({ range, size, length: headers['content-length'], inFile, tooMuch: file > size, drawn }).toEqual({
        range,
        size,
        length: sizes.reduce((sum, bytes) => sum + bytes, 0),
        inFile: true,
        tooMuch: false,
        drawn: list.length > 1 ? 1 : 0,
      });
      expect(list.length).toBeLessThanOrEqual(MOST_PARTS);
      seen.add(`${status} ${Math.min(list.length, 2)}`);
    }
    expect([...seen].sort()).toEqual(['200 0', '200 1', '206 1', '206 2', '416 0']);
  });
});
