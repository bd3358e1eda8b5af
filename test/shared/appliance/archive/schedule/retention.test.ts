// Which copies are over, held against an oracle that says of each copy by itself whether a rule keeps it.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DELETED_AT_ONCE, type Keep, overdue } from '../../../../../shared/appliance/archive/schedule/retention.ts';

interface Made {
  made_at: string;
}

const at = (text: string): Made => ({ made_at: `${text}Z` });
const KEEP: Keep = { keep_last: 1, keep_daily: 0, keep_weekly: 0, keep_monthly: 0 };
const days = (copies: readonly Made[]) => copies.map(({ made_at }) => made_at.slice(0, 10));

/** The Monday that an instant's week begins with, counted by walking back day by day. */
function weekOf(made_at: string): string {
  const day = new Date(made_at);
  while (day.getUTCDay() !== 1) day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}

const SPANS: readonly [keyof Keep, (made_at: string) => string][] = [
  ['keep_daily', (made_at) => made_at.split('T')[0]!],
  ['keep_weekly', weekOf],
  ['keep_monthly', (made_at) => made_at.split('-').slice(0, 2).join('-')],
];

/** Counts, for one copy, what is newer: no sorting, no set of kept ones. */
function isKept(copy: Made, all: readonly Made[], keep: Keep): boolean {
  const newer = all.filter(({ made_at }) => made_at > copy.made_at);
  if (newer.length < keep.keep_last) return true;
  return SPANS.some(([count, spanOf]) => {
    const own = spanOf(copy.made_at);
    if (newer.some(({ made_at }) => spanOf(made_at) === own)) return false;
    return new Set(newer.map(({ made_at }) => spanOf(made_at))).size < keep[count];
  });
}

const SEVEN_YEARS = {
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2031-01-01T00:00:00Z'),
  noInvalidDate: true,
};
const copies = fc
  .uniqueArray(fc.oneof(fc.date(SEVEN_YEARS), fc.integer({ min: 0, max: 900 }).map(hours)), {
    maxLength: 60,
    size: 'max',
    selector: (date) => date.getTime(),
  })
  .map((dates) => dates.map((date): Made => ({ made_at: date.toISOString() })));
const keeps: fc.Arbitrary<Keep> = fc.record({
  keep_last: fc.integer({ min: 1, max: 12 }),
  keep_daily: fc.integer({ min: 0, max: 12 }),
  keep_weekly: fc.integer({ min: 0, max: 8 }),
  keep_monthly: fc.integer({ min: 0, max: 14 }),
});

/** Close together, as a schedule makes them. */
function hours(count: number): Date {
  return new Date(Date.UTC(2026, 0, 1) + count * 3_600_000);
}

test('what no rule keeps is over, the oldest first, and no more of it than one run deletes', () => {
  let [some, bounded] = [0, 0];
  fc.assert(
    fc.property(copies, keeps, (all, keep) => {
      const over = all.filter((copy) => !isKept(copy, all, keep)).sort((a, b) => (a.made_at < b.made_at ? -1 : 1));
      expect(overdue(all, keep)).toEqual(over.slice(0, DELETED_AT_ONCE));
      some += over.length > 0 ? 1 : 0;
      bounded += over.length > DELETED_AT_ONCE ? 1 : 0;
    }),
    { numRuns: 2000 },
  );
  // Neither an empty answer nor the bound is all that was seen.
  expect(some).toBeGreaterThan(200);
  expect(bounded).toBeGreaterThan(20);
});

test('the newest is never over, whatever the settings say', () => {
  fc.assert(
    fc.property(copies, keeps, (all, keep) => {
      const newest = all.reduce<Made | null>((one, two) => (one && one.made_at > two.made_at ? one : two), null);
      expect(overdue(all, { ...keep, keep_last: 0 })).not.toContain(newest);
    }),
  );
});

test('days, weeks from Monday and months each keep their newest copy', () => {
  const all = ['2026-01-31T02:00', '2026-02-01T02:00', '2026-02-01T14:00', '2026-02-02T02:00', '2026-02-03T02:00'].map(
    at,
  );
  expect(days(overdue(all, KEEP))).toEqual(['2026-01-31', '2026-02-01', '2026-02-01', '2026-02-02']);
  expect(overdue(all, { ...KEEP, keep_daily: 3 })).toEqual([all[0], all[1]]);
  // 1 February 2026 is a Sunday.
  expect(overdue(all, { ...KEEP, keep_weekly: 2 })).toEqual([all[0], all[1], all[3]]);
  expect(overdue(all, { ...KEEP, keep_monthly: 2 })).toEqual([all[1], all[2], all[3]]);
});
