// The message for a value that a schema refuses, where the schema has none of its own. The library's messages are never
// used: they name types of a programming language and repeat the value.
import type { BaseIssue, Config } from 'valibot';

/** Passed to each parse of input from outside. */
export const OUR_WORDS = { message: sentenceOf } as const satisfies Config<BaseIssue<unknown>>;

/** One sentence, without the received value, which may be a secret. */
export function sentenceOf(issue: BaseIssue<unknown>): string {
  const { kind, type, expected, received, requirement } = issue;
  if (kind === 'schema') {
    if (expected === 'never') return 'This property is not supported.';
    return received === 'undefined' ? 'This is required.' : `Expected ${inWords(expected)}.`;
  }
  const ofList = Array.isArray(issue.input) ? 'items' : 'characters';
  return BOUNDS[type]?.(String(requirement), ofList) ?? 'This value is not accepted.';
}

const BOUNDS: Readonly<Record<string, (bound: string, counted: string) => string>> = {
  max_length: (most, counted) => `At most ${most} ${counted}.`,
  min_length: (least, counted) => (least === '1' ? 'Must not be empty.' : `At least ${least} ${counted}.`),
  length: (bound, counted) => `Expected ${bound} ${counted}.`,
  max_entries: (most) => `At most ${most} members.`,
  max_value: (most) => `At most ${most}.`,
  min_value: (least) => `At least ${least}.`,
  integer: () => 'Expected a whole number.',
  iso_timestamp: () => 'Expected an instant such as 2026-03-02T09:41:07Z.',
};

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  Array: 'a list',
  Object: 'an object',
  null: 'null',
};

/** `("a" | "b" | null)` as people say it. */
function inWords(expected: string | null): string {
  const parts = (expected ?? '').replaceAll(/[()]/g, '').split(' | ');
  const known = parts
    .filter((part) => Object.hasOwn(KINDS, part) || part.startsWith('"'))
    .map((part) => KINDS[part] ?? part);
  return known.length === 0 ? 'another value' : [...new Set(known)].join(' or ');
}
