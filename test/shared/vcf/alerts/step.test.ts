// What is opened, closed and told: the times from both sides, flapping, silence, and what could not be looked at. Pure.
import { expect, test } from '@jest/globals';
import type { Alert, Present } from '../../../../shared/vcf/alerts/alert.ts';
import type { ConditionId } from '../../../../shared/vcf/alerts/condition-ids.ts';
import { RULES_DEFAULTS } from '../../../../shared/vcf/alerts/rules.ts';
import { type Hold, step } from '../../../../shared/vcf/alerts/step.ts';

const BEGAN = Date.parse('2026-03-14T09:00:00Z');
const FULL: Present = { id: 'disk_full', subject: 'data', severity: 'critical', says: 'Full.' };

/** Looks one after the other, each so many seconds after the first; answers what each told. */
class Watch {
  rows: Alert[] = [];
  told: string[] = [];
  closed: Alert[] = [];
  readonly hold: Hold;
  #next = 0;

  constructor(hold: Partial<Hold> = {}) {
    this.hold = { ...RULES_DEFAULTS, ...hold };
  }

  at(seconds: number, present: Present[], unknown: ConditionId[] = []): string[] {
    const now = new Date(BEGAN + seconds * 1000);
    const flaps = (condition: string, subject: string) => {
      const same = this.closed.filter((each) => each.condition === condition && each.subject === subject);
      return same.length === 0 ? 0 : same.at(-1)!.flaps + 1;
    };
    const changes = step(this.rows, { now, present, unknown: new Set(unknown) }, this.hold, flaps);
    for (const { alert, forget } of changes) {
      this.rows = this.rows.filter(({ id }) => id !== alert.id);
      const row = { ...alert, id: alert.id ?? `alert_${++this.#next}` };
      if (row.state === 'closed') this.closed.push(row);
      else if (!forget) this.rows.push(row);
    }
    const tells = changes.flatMap(({ tells: event }) => event ?? []);
    this.told.push(...tells);
    return tells;
  }
}

test('what lasts is told once when it opens and once when it closes', () => {
  const watch = new Watch();
  expect(watch.at(0, [FULL])).toEqual([]);
  expect(watch.at(59, [FULL])).toEqual([]);
  expect(watch.at(60, [FULL])).toEqual(['opened']);
  expect(watch.at(75, [FULL])).toEqual([]);
  expect(watch.at(100, [])).toEqual([]);
  expect(watch.at(219, [])).toEqual([]);
  expect(watch.at(220, [])).toEqual(['closed']);
  expect(watch.at(235, [])).toEqual([]);
});

test('what is shorter is never told, and a gap while it is open closes nothing', () => {
  const watch = new Watch();
  for (const seconds of [0, 30, 50]) watch.at(seconds, [FULL]);
  watch.at(55, []);
  expect(watch.rows).toEqual([]);
  for (const seconds of [60, 120]) watch.at(seconds, [FULL]);
  watch.at(130, []);
  watch.at(200, [FULL]);
  watch.at(260, []);
  watch.at(379, []);
  expect(watch.told).toEqual(['opened']);
});

test('without a span it opens at the first look', () => {
  expect(new Watch({ open_after_seconds: 0 }).at(0, [FULL])).toEqual(['opened']);
});

test('what flaps every five minutes for a day is told of a few times, not hundreds', () => {
  const watch = new Watch();
  for (let seconds = 0; seconds < 86_400; seconds += 15) watch.at(seconds, seconds % 600 < 300 ? [FULL] : []);
  expect(watch.told.length).toBeLessThan(10);
  expect(watch.told.filter((event) => event === 'opened').length).toBeGreaterThan(0);
});

test('two subjects of one condition are two alerts', () => {
  const watch = new Watch({ open_after_seconds: 0 });
  expect(watch.at(0, [FULL, { ...FULL, subject: 'depot' }])).toEqual(['opened', 'opened']);
});

test('an acknowledged warning that becomes critical is told and open again', () => {
  const watch = new Watch({ open_after_seconds: 0 });
  watch.at(0, [{ ...FULL, severity: 'warning' }]);
  watch.rows = watch.rows.map((row) => ({ ...row, acknowledged_at: row.since, acknowledged_by: 'ada' }));
  expect(watch.at(15, [FULL])).toEqual(['worse']);
  expect(watch.rows[0]).toMatchObject({ severity: 'critical', acknowledged_by: null });
  expect(watch.at(30, [FULL])).toEqual([]);
  expect(watch.at(45, [{ ...FULL, severity: 'warning' }])).toEqual([]);
});

test('reminders come by choice, and not of what somebody acknowledged', () => {
  const never = new Watch({ open_after_seconds: 0 });
  never.at(0, [FULL]);
  expect(never.at(7 * 86_400, [FULL])).toEqual([]);
  const daily = new Watch({ open_after_seconds: 0, reminder_hours: 24 });
  daily.at(0, [FULL]);
  expect(daily.at(86_399, [FULL])).toEqual([]);
  expect(daily.at(86_400, [FULL])).toEqual(['reminder']);
  expect(daily.at(86_415, [FULL])).toEqual([]);
  expect(daily.at(2 * 86_400, [FULL])).toEqual(['reminder']);
  daily.rows = daily.rows.map((row) => ({ ...row, acknowledged_at: row.since, acknowledged_by: 'ada' }));
  expect(daily.at(9 * 86_400, [FULL])).toEqual([]);
});

test('what could not be looked at closes nothing, however long', () => {
  const watch = new Watch({ open_after_seconds: 0 });
  watch.at(0, [FULL]);
  for (const seconds of [15, 600, 6000]) expect(watch.at(seconds, [], ['disk_full'])).toEqual([]);
  watch.at(6015, []);
  expect(watch.at(6200, [])).toEqual(['closed']);
});

test('a condition that is made silent closes at the next look and opens no more', () => {
  const watch = new Watch({ open_after_seconds: 0 });
  watch.at(0, [FULL]);
  watch.hold.silent = ['disk_full'];
  expect(watch.at(15, [FULL])).toEqual(['closed']);
  expect(watch.at(30, [FULL])).toEqual([]);
});

test('a number in its sentence that changes is kept and not told', () => {
  const watch = new Watch({ open_after_seconds: 0 });
  watch.at(0, [FULL]);
  expect(watch.at(15, [{ ...FULL, says: 'Fuller.' }])).toEqual([]);
  expect(watch.rows[0]!.says).toBe('Fuller.');
});

test('a clock that is set back a year keeps no alert waiting', () => {
  const watch = new Watch();
  watch.at(0, [FULL]);
  expect(watch.at(-31_000_000, [FULL])).toEqual(['opened']);
});
