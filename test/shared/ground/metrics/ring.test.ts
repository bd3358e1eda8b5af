// The file of numbers over time: its size never changes, old points go, and what is damaged is begun anew.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Ring, type RingLayout, sizeOf } from '../../../../shared/ground/metrics/ring.ts';

const LAYOUT: RingLayout = {
  series: ['one', 'two'],
  tiers: [
    { every: 30, slots: 2_880 },
    { every: 600, slots: 4_320 },
  ],
};
const START = 1_700_000_400;
let folder: string;
let path: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-ring-'));
  path = join(folder, 'metrics.ring');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a year of samples leaves a file of the same size, with the last day and the last thirty days in it', async () => {
  const ring = new Ring(path, LAYOUT);
  await ring.append({ at: START, values: [0, 0] });
  expect(statSync(path).size).toBe(sizeOf(LAYOUT));
  expect(sizeOf(LAYOUT)).toBe(64 + 7_200 * 24);
  // A year in steps of an hour, and its last hour as it is.
  for (let hour = 0; hour < 365 * 24; hour++) await ring.append({ at: START + hour * 3_600, values: [hour, 0] });
  const last = START + 365 * 24 * 3_600;
  for (let at = last; at < last + 3_600; at += 30) await ring.append({ at, values: [1, at % 600] });
  expect(statSync(path).size).toBe(sizeOf(LAYOUT));
  const day = await ring.read(0, last + 3_570);
  expect(day.every(({ at }) => at > last + 3_570 - 86_400)).toBe(true);
  expect(day.slice(-120).every(({ values }) => values[0] === 1)).toBe(true);
  const month = await ring.read(1, last + 3_570);
  expect(month).toHaveLength(719 + 6);
  // A slot of ten minutes has the mean of its twenty samples.
  expect(month.at(-1)!.values).toEqual([1, 285]);
}, 120_000);

test('points stay over a restart, and those of a clock that was ahead are not shown', async () => {
  const ring = new Ring(path, LAYOUT);
  const last = START + 366 * 24 * 3_600;
  await ring.append({ at: last, values: [7, Number.NaN] });
  const again = new Ring(path, LAYOUT);
  expect((await again.read(0, last)).at(-1)).toEqual({ at: last, values: [7, Number.NaN] });
  expect((await again.read(0, last - 1)).some(({ at }) => at === last)).toBe(false);
});

test('reading writes nothing, also where the file is missing', async () => {
  const missing = join(folder, 'missing.ring');
  expect(await new Ring(missing, LAYOUT).read(0, START)).toEqual([]);
  expect(existsSync(missing)).toBe(false);
});

test.each([
  ['another layout', () => undefined, { ...LAYOUT, series: ['one', 'three'] }],
  ['a file that was cut', () => writeFileSync(path, readFileSync(path).subarray(0, 1_000)), LAYOUT],
  ['a damaged header', () => writeFileSync(path, readFileSync(path).fill(1, 0, 64)), LAYOUT],
])('%s is begun anew', async (_what, damage, layout) => {
  const before = new Ring(path, LAYOUT);
  await before.append({ at: START, values: [1, 2] });
  damage();
  const ring = new Ring(path, layout);
  expect(await ring.read(0, START)).toEqual([]);
  await ring.append({ at: START + 30, values: [3, 4] });
  expect([await ring.read(0, START + 30), statSync(path).size]).toEqual([
    [{ at: START + 30, values: [3, 4] }],
    sizeOf(layout),
  ]);
});
