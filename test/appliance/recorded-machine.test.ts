// What a power cut leaves of recorded writes.
import { expect, test } from '@jest/globals';
import type { Entry } from '../setup/recorded-disk.ts';
import { left } from './recorded-machine.ts';

const entry = (at: number, length: number, flush = false): Entry => ({ at, data: Buffer.alloc(length, 1), flush });
const ENTRIES = [entry(0, 4_096), entry(0, 0, true), entry(8_192, 4_096), entry(12_288, 4_096), entry(16_384, 16_384)];
const places = (entries: readonly Entry[]) => entries.map(({ at, data }) => [at, data.length]);

test('what a flush followed is always there, and of the rest what the disk happened to keep', () => {
  expect(left(ENTRIES, 'nothing')).toEqual(ENTRIES);
  expect(places(left(ENTRIES, 'all'))).toEqual([
    [0, 4_096],
    [0, 0],
  ]);
  expect(places(left(ENTRIES, 'each second')).slice(2)).toEqual([
    [8_192, 4_096],
    [16_384, 16_384],
  ]);
  expect(places(left(ENTRIES, 'half of the last')).slice(2)).toEqual([
    [8_192, 4_096],
    [12_288, 4_096],
    [16_384, 8_192],
  ]);
  expect(left([], 'half of the last')).toEqual([]);
  expect(left(ENTRIES.slice(0, 2), 'half of the last')).toEqual(ENTRIES.slice(0, 2));
});
