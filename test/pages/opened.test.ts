// Three revisions of a form: who changed which field.
import { describe, expect, test } from '@jest/globals';
import { typedInto } from '../../pages/layout/form-state.tsx';
import { type FieldValue, mergedFields, openedText, readOpened, type SavedField } from '../../pages/layout/opened.ts';

interface Case {
  name: string;
  opened: FieldValue;
  saved: FieldValue;
  typed: FieldValue;
  becomes: 'nobody' | 'theirs' | 'mine' | 'both';
}

const CASES: Case[] = [
  { name: 'untouched by all', opened: 'a', saved: 'a', typed: 'a', becomes: 'nobody' },
  { name: 'typed here alone', opened: 'a', saved: 'a', typed: 'b', becomes: 'mine' },
  { name: 'saved by somebody else alone', opened: 'a', saved: 'b', typed: 'a', becomes: 'theirs' },
  { name: 'changed by both', opened: 'a', saved: 'b', typed: 'c', becomes: 'both' },
  { name: 'changed by both to the same', opened: 'a', saved: 'b', typed: 'b', becomes: 'nobody' },
  { name: 'a switch that somebody else moved', opened: false, saved: true, typed: false, becomes: 'theirs' },
  { name: 'boxes in another order', opened: ['b', 'a'], saved: ['b', 'a'], typed: ['a', 'b'], becomes: 'nobody' },
  { name: 'line ends of browsers', opened: 'a\nb', saved: 'c', typed: 'a\r\nb\r\n', becomes: 'theirs' },
  { name: 'an unsent secret', opened: { mark: '1' }, saved: { mark: '1' }, typed: '', becomes: 'nobody' },
  { name: 'a secret of somebody else', opened: { mark: '1' }, saved: { mark: '2' }, typed: '', becomes: 'theirs' },
  { name: 'a secret typed here', opened: { mark: '1' }, saved: { mark: '1' }, typed: 'x', becomes: 'mine' },
  { name: 'a secret of both', opened: { mark: '1' }, saved: { mark: '2' }, typed: 'x', becomes: 'both' },
];

test.each(CASES)('$name', ({ opened, saved, typed, becomes }) => {
  const base = readOpened(openedText([['Field', 'field', opened]]));
  const { both, ...others } = mergedFields(base, [['Field', 'field', saved]], () => typed);
  const expected = { both: [] as string[], theirs: [] as string[], mine: [] as string[] };
  if (becomes !== 'nobody') expected[becomes].push('Field');
  expect({ ...others, both: both.map(({ label }) => label) }).toEqual(expected);
});

test('without what was opened each difference is one of both, as of a form of an earlier release', () => {
  const saved: SavedField[] = [['Field', 'field', 'saved']];
  expect(mergedFields(readOpened(null), saved, () => 'typed').both).toHaveLength(1);
});

test.each(['', 'no JSON', '[]', 'null', '{"field":1}', '{"__proto__":{"a":"b"}}'])(
  '%s says nothing of a field',
  (text) => {
    const opened = readOpened(text);
    expect([opened?.field, opened?.a]).toEqual([undefined, undefined]);
  },
);

describe('what a stale form shows', () => {
  const values = new URLSearchParams({ value: 'mine', description: '', opened: '{"value":"old","description":""}' });
  const problem = (status: number) => ({ status }) as never;
  const of = (status: number) =>
    typedInto('form', { operation_id: 'form', values, problem: problem(status), result: null, dry_run: false });

  test('is what is saved where nobody typed here, and what was typed elsewhere', () => {
    const typed = of(412);
    expect([typed.text('value', 'theirs'), typed.text('description', 'theirs')]).toEqual(['mine', 'theirs']);
  });

  test('is what was sent when it was refused for another reason', () => {
    expect(of(422).text('description', 'theirs')).toBe('');
  });
});
