// Where the points of a chart lie: a line of at most so many points, broken where nothing is known. Pure.

export interface ChartPoint {
  /** Seconds since 1970. */
  at: number;
  value: number;
}

export interface ChartRange {
  from: number;
  until: number;
  /** Seconds between two points as they were taken. */
  every: number;
}

/** Periods after which a number is no more that of now. */
const CURRENT = 4;

/** Of a daemon that stopped since, the last number says nothing of now. */
export const isCurrent = (last: ChartPoint | undefined, { until, every }: ChartRange): last is ChartPoint =>
  last !== undefined && last.at > until - CURRENT * every;

/** Units of the drawing: a step of the line each across, and the height. */
export const WIDTH = 240;
export const HEIGHT = 100;

export interface ChartLayout {
  /** Value at the upper edge. */
  top: number;
  /** Path of the line, and of what is below it. */
  line: string;
  area: string;
}

/** Null without a point. */
export function layOut(points: readonly ChartPoint[], { from, until, every }: ChartRange): ChartLayout | null {
  if (points.length === 0) return null;
  const step = (until - from) / WIDTH;
  const means = meansOf(points, from, step);
  const top = topFor(Math.max(...means.values()));
  const runs: [x: number, y: number][][] = [];
  // Two neighbours belong together, also where points are taken less often than the line has steps.
  const gap = Math.max(1, Math.ceil(every / step)) + 1;
  for (const [x, mean] of means) {
    const last = runs.at(-1);
    const point: [number, number] = [x, Math.round(10 * HEIGHT * (1 - mean / top)) / 10];
    if (last && x - last.at(-1)![0] <= gap) last.push(point);
    else runs.push([point]);
  }
  const line = runs
    .map((run) => `M${run.map(([x, y]) => `${x} ${y}`).join('L')}${run.length === 1 ? 'h1' : ''}`)
    .join('');
  const area = runs
    .map((run) => `M${run[0]![0]} ${HEIGHT}L${run.map(([x, y]) => `${x} ${y}`).join('L')}L${run.at(-1)![0]} ${HEIGHT}Z`)
    .join('');
  return { top, line, area };
}

/** Step of the line → the mean of its points. */
function meansOf(points: readonly ChartPoint[], from: number, step: number): Map<number, number> {
  const found = new Map<number, { sum: number; count: number }>();
  for (const { at, value } of points) {
    const x = Math.min(WIDTH - 1, Math.max(0, Math.floor((at - from) / step)));
    const { sum, count } = found.get(x) ?? { sum: 0, count: 0 };
    found.set(x, { sum: sum + value, count: count + 1 });
  }
  return new Map([...found].map(([x, { sum, count }]) => [x, sum / count]));
}

/** The next of 1, 2, 5, 10, 20, … that holds it: an edge that can be read. */
export function topFor(most: number): number {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((factor) => factor * power).find((top) => top >= most * 0.999_999)!;
}

export interface ChartRow {
  /** Seconds since 1970 at which the row begins. */
  at: number;
  least: number;
  mean: number;
  most: number;
}

/** The table beside the chart: a row for each `seconds`, newest first, without those of which nothing is known. */
export function rowsOf(points: readonly ChartPoint[], seconds: number): ChartRow[] {
  const found = new Map<number, number[]>();
  for (const { at, value } of points) {
    const start = Math.floor(at / seconds) * seconds;
    const row = found.get(start);
    if (row) row.push(value);
    else found.set(start, [value]);
  }
  return [...found]
    .map(([at, values]) => ({
      at,
      least: Math.min(...values),
      mean: values.reduce((sum, value) => sum + value, 0) / values.length,
      most: Math.max(...values),
    }))
    .sort((one, other) => other.at - one.at);
}
