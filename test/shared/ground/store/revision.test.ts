// What a request says of the row that it means: its entity tag, and where in a list it goes on.
import { expect, test } from '@jest/globals';
import { Problem } from '../../../../shared/ground/problems.ts';
import { decodeCursor, pageOf } from '../../../../shared/ground/store/pagination.ts';
import { entityTag, parseIfMatch, requireRevision } from '../../../../shared/ground/store/revision.ts';

test('an entity tag is strong and reads back', () => {
  expect(entityTag(17)).toBe('"r17"');
  expect(parseIfMatch('*')).toBeNull();
  expect(parseIfMatch(undefined)).toBeNull();
});

test.each([
  ['"r17"', ['"r17"']],
  [' W/"r17"\t', ['W/"r17"']],
  ['"17"', ['"17"']],
  ['""', ['""']],
  ['"a,b",,W/"*" ,"r18",', ['"a,b"', 'W/"*"', '"r18"']],
])('If-Match %s is entity tags', (header, tags) => {
  expect(parseIfMatch(header)).toEqual(tags);
});

test.each([
  'r17',
  '"r17',
  'w/"r17"',
  'W/ "r17"',
  '"r17" "r18"',
  '"r17""r18"',
  '*, "r17"',
  '"a b"',
  '"\t"',
  ',',
  '',
  ' ',
])('If-Match %s is malformed', (header) => {
  expect(() => parseIfMatch(header)).toThrow(expect.objectContaining({ code: 'malformed_precondition' }));
});

test('a stale revision carries the current tag', () => {
  expect(() => requireRevision(['"r3"'], 3)).not.toThrow();
  expect(() => requireRevision(null, 3)).not.toThrow();
  expect(() => requireRevision(['"x"', '"r3"'], 3)).not.toThrow();
  expect(() => requireRevision(['"r2"', 'W/"r3"', '"3"'], 3)).toThrow(
    expect.objectContaining({ code: 'revision_stale', members: { etag: '"r3"' } }),
  );
});

test('a page knows whether there is a next one', () => {
  const rows = [1, 2, 3];
  expect(
    pageOf(
      rows,
      3,
      (row) => [row],
      (row) => row,
    ),
  ).toEqual({ items: rows, next_cursor: null });
  const first = pageOf(
    rows,
    2,
    (row) => [row],
    (row) => row,
  );
  expect(first.items).toEqual([1, 2]);
  expect(decodeCursor(first.next_cursor!, 1)).toEqual([2]);
  expect(() => decodeCursor(first.next_cursor!, 2)).toThrow(Problem);
});
