// The limits of those who are slowed, as they are stated: what a sign-in, a code and a login of the depot cost after how
// many failures; and failures that are counted in memory.
import { expect, test } from '@jest/globals';
import { Failures, waitAfter } from '../../../../shared/kernel/access/slowing.ts';

const after = (free: number, first_wait: number, longest_wait: number, failures: readonly number[]) =>
  failures.map((count) => waitAfter({ free, first_wait, longest_wait }, count));

test('free failures cost nothing, then the wait doubles up to the longest', () => {
  expect(after(5, 2, 60, [0, 4, 5, 6, 7, 8, 9, 10, 11, 1e9])).toEqual([0, 0, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(after(5, 15, 60, [4, 5, 6, 7, 8])).toEqual([0, 15, 30, 60, 60]);
});

test('failures count for each key until it was quiet for so long', () => {
  let now = 10_000;
  const failures = new Failures(() => now, { most: 2, seconds: 60 });
  const slowing = { free: 2, first_wait: 2, longest_wait: 60 };
  failures.add('a');
  expect(failures.wait('a', slowing)).toBe(0);
  failures.add('a');
  now += 500;
  expect([failures.of('a'), failures.wait('a', slowing), failures.wait('b', slowing)]).toEqual([2, 2, 0]);
  now += 1500;
  expect(failures.wait('a', slowing)).toBe(0);
  now += 58_000;
  expect(failures.of('a')).toBe(0);
  failures.add('a');
  expect(failures.of('a')).toBe(1);
});

test('of too many keys the one is forgotten that failed least lately', () => {
  const failures = new Failures(() => 0, { most: 2, seconds: 60 });
  for (const key of ['a', 'b', 'a', 'c']) failures.add(key);
  expect(['a', 'b', 'c'].map((key) => failures.of(key))).toEqual([2, 0, 1]);
});
