// What a power cut leaves of recorded writes.
import { expect, test } from '@jest/globals';
import { type Entry, entriesIn } from '../setup/recorded-disk.ts';
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

test('a record that lacks an entry is none, instead of one with nothing in it', () => {
  const log = Buffer.alloc(512 * 7);
  const put = (from: number, values: readonly number[]): void => {
    for (const [turn, value] of values.entries()) log.writeBigUInt64LE(BigInt(value), from + 8 * turn);
  };
  log.writeBigUInt64LE(0x6a73_6677_7368_72n, 0);
  log.writeBigUInt64LE(3n, 16);
  put(512, [16, 1, 0, 512]);
  put(512 * 3, [0, 0, 1, 0]);
  put(512 * 4, [24, 2, 0, 1_024]);
  expect(entriesIn(log).map(({ at, data, flush }) => [at, data.length, flush])).toEqual([
    [8_192, 512, false],
    [0, 0, true],
    [12_288, 1_024, false],
  ]);
  put(512 * 3, [0, 0, 0, 0]);
  expect(() => entriesIn(log)).toThrow(/has a hole/);
});
