// The last lines of the log: whatever is logged, what is read is the end of it, whole and in order, and the memory stays the same.
import { expect, test } from '@jest/globals';
import { systemClock } from '../../../../shared/ground/clock.ts';
import { LogTail } from '../../../../shared/kernel/operation/log-tail.ts';
import { seeded } from '../../../setup/seeded.ts';

const LETTERS = ['a', '"', 'é', '→', '😀', '\n', '字'];

test.each([1, 2, 3])('lines of any length and any letters, often around the buffer (seed %p)', (seed) => {
  const random = seeded(seed);
  const tail = new LogTail(systemClock);
  const logged: string[] = [];
  for (let n = 1; n <= 9_000; n++) {
    const letters = Array.from(
      { length: Math.floor(random() * 12) },
      () => LETTERS[Math.floor(random() * LETTERS.length)],
    );
    const text = `${n} ${letters.join('').repeat(Math.floor(random() * (n % 97 === 0 ? 250 : 20)))}`;
    tail.add(text, n * 10);
    logged.push(text);
    if (n % 500 !== 0) continue;
    const read = tail.read(1e9);
    // As many as fit: the buffer has a mebibyte, of which the longest line may be left free at its end.
    const bytes = read.reduce((sum, { text: line }) => sum + Buffer.byteLength(line), 0);
    expect(read.length === 4_000 || read.length === n || bytes > 1_000_000).toBe(true);
    expect(read.map(({ text: line }) => line)).toEqual(logged.slice(-read.length).reverse());
    expect(read.map(({ number }) => number)).toEqual(read.map((_, at) => n - at));
    expect(read.map(({ at }) => at)).toEqual(read.map(({ number }) => number * 10));
    const middle = read[Math.floor(read.length / 2)]!.number;
    expect(tail.read(3, middle).map(({ number }) => number)).toEqual([1, 2, 3].map((less) => middle - less));
  }
});

test('a line longer than is kept ends where that ends, and nothing before the first line is read', () => {
  const tail = new LogTail(systemClock);
  expect(tail.read(10)).toEqual([]);
  tail.add('字'.repeat(10_000), 7);
  expect(tail.read(10)).toEqual([{ number: 1, at: 7, text: '字'.repeat(4_000) }]);
  expect(tail.read(10, 1)).toEqual([]);
  expect(tail.read(0)).toEqual([]);
});
