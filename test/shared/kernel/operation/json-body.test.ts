// What a body of JSON may not hold, said at its place; and that values are never handed to a function one by one.
import { describe, expect, jest, test } from '@jest/globals';
import { Problem } from '../../../../shared/ground/problems.ts';
import { DEPTH_MOST, parseJson } from '../../../../shared/kernel/operation/json-body.ts';

/** Status, and pointer and sentence of the first fault. */
function refusal(text: string): unknown[] {
  try {
    return [parseJson(text)];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [first] = error.members.errors ?? [];
    return first ? [error.status, first.pointer, first.detail] : [error.status, error.code];
  }
}

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test.each<[string, unknown]>([
  ['{"a":{"constructor":{}},"b":"__proto__ and toString"}', { a: { constructor: {} }, b: '__proto__ and toString' }],
  ['{"constructor":"x","a":[{"b":1},{"b":1}]}', { constructor: 'x', a: [{ b: 1 }, { b: 1 }] }],
  ['"a:b{[\\"]}"', 'a:b{["]}'],
  ['{"a:b":"c:d","\\u0061":"\\ud83d\\ude00"}', { 'a:b': 'c:d', a: '😀' }],
  ['"\\\\\\ud83d\\ude00"', '\\😀'],
  [' [1 , null, true] ', [1, null, true]],
  [`{"a":"${'{'.repeat(100)}"}`, { a: '{'.repeat(100) }],
])('%s is taken as it is', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test('all members that every object has are named', () => {
  const text = '{"a":[{"__proto__":1}],"constructor":{"prototype":1},"toString":2}';
  const named = expect.objectContaining({
    members: {
      errors: ['/a/0/__proto__', '/constructor/prototype', '/toString'].map((pointer) => ({
        pointer,
        detail: expect.any(String),
      })),
    },
  });
  expect(() => parseJson(text)).toThrow(named);
  const many = `[${'{"__proto__":1},'.repeat(50_000)}null]`;
  expect(() => parseJson(many)).toThrow(expect.objectContaining({ code: 'request_validation_failed' }));
});

describe('refused at its place', () => {
  test.each<[string, string, string]>([
    ['/__proto__', 'A member named __proto__ is not supported.', '{"__proto__":{"admin":true}}'],
    ['/a/1/__proto__', 'A member named __proto__ is not supported.', '{"a":[1,{"\\u005f_proto__":1}]}'],
    ['/a~1b/toString', 'A member named toString is not supported.', '{"a/b":{"toString":1}}'],
    [
      '/constructor/prototype',
      'constructor must not have a member named prototype.',
      '{"constructor":{"prototype":1}}',
    ],
    ['/a', 'This member is there twice.', '{"a":1,"b":2,"a":3}'],
    ['/a/1/b/c', 'This member is there twice.', '{"a":[{},{"b":{"c":1,"\\u0063" \n\t : 2}}]}'],
    ['/a', 'This member is there twice.', `{"a":1${' '.repeat(200)},"a"${' '.repeat(200)}:1}`],
    ['', `At most ${DEPTH_MOST} levels of objects and lists.`, deep(DEPTH_MOST + 1)],
    ['', `At most ${DEPTH_MOST} levels of objects and lists.`, '['.repeat(1 << 20)],
  ])('%s: %s', (pointer, detail, text) => {
    expect(refusal(text)).toEqual([422, pointer, detail]);
  });

  test.each([
    '',
    '{',
    '{"a":1,}',
    '"',
    '"\\',
    'name=a',
    '{"a":1}{"b":1}',
    ']]]]',
    '"\\ud800"',
    '"\\udc00"',
    '"\\\\ud83d\\udc00"',
  ])('no JSON: %j', (text) => {
    expect(refusal(text)).toEqual([400, 'malformed_json']);
  });
});

test(`${DEPTH_MOST} levels are taken`, () => {
  expect(refusal(deep(DEPTH_MOST))).toHaveLength(1);
});

test('no function is called for each value', () => {
  const parse = jest.spyOn(JSON, 'parse');
  parseJson('{"a":"__proto__","b":[1,1,1]}');
  expect(parse.mock.calls).toEqual([['{"a":"__proto__","b":[1,1,1]}']]);
  parse.mockRestore();
});
