// The line of a chart: its steps, its gaps, its upper edge, and the table beside it.
import { expect, test } from '@jest/globals';
import { layOut, rowsOf, topFor, WIDTH } from '../../../pages/components/chart-layout.ts';

const RANGE = { from: 0, until: 240 * 60, every: 30 };

test('nothing to draw without a point', () => expect(layOut([], RANGE)).toBeNull());

test.each([
  [0, 1],
  [Number.NaN, 1],
  [0.3, 0.5],
  [1, 1],
  [1.01, 2],
  [37, 50],
  [100, 100],
  [101, 200],
])('the upper edge for %p is %p', (most, top) => expect(topFor(most)).toBeCloseTo(top));

test('points of one step are one, by their mean; a gap breaks the line', () => {
  const points = [
    { at: 0, value: 10 },
    { at: 30, value: 30 },
    { at: 60, value: 50 },
    { at: 100 * 60, value: 25 },
  ];
  const drawn = layOut(points, RANGE)!;
  expect(drawn.top).toBe(50);
  expect(drawn.line).toBe('M0 60L1 0M100 50h1');
  expect(drawn.area).toBe('M0 100L0 60L1 0L1 100ZM100 100L100 50L100 100Z');
});

test('points that are further apart than a step are one line as long as none is missing', () => {
  const points = Array.from({ length: 10 }, (_, at) => ({ at: at * 600, value: 1 }));
  const drawn = layOut(points, { ...RANGE, every: 600 })!;
  expect(drawn.line.match(/M/g)).toHaveLength(1);
});

test('a line has at most as many points as steps, however many were taken', () => {
  const points = Array.from({ length: 2_880 }, (_, at) => ({ at: at * 5, value: at % 7 }));
  expect(layOut(points, RANGE)!.line.split(/[ML]/).length - 1).toBeLessThanOrEqual(WIDTH);
});

test('rows have the lowest, the mean and the highest, the newest first', () => {
  const points = [1, 2, 6, 4].map((value, at) => ({ at: at * 1_800, value }));
  expect(rowsOf(points, 3_600)).toEqual([
    { at: 3_600, least: 4, mean: 5, most: 6 },
    { at: 0, least: 1, mean: 1.5, most: 2 },
  ]);
});
