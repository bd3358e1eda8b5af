// When the schedule is due, and what the clock asks for after an outage or when it was set.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { asked } from '../../../../../shared/appliance/archive/schedule/clock.ts';
import { SCHEDULE_DEFAULTS } from '../../../../../shared/appliance/archive/schedule/document.ts';
import { lastDue, nextDue, type Times, WEEKDAYS } from '../../../../../shared/appliance/archive/schedule/timing.ts';

const DAILY: Times = { every: 'daily', weekday: 'sunday', at: '02:30' };
const WEEKLY: Times = { every: 'weekly', weekday: 'wednesday', at: '02:30' };
const date = (text: string) => new Date(`${text}Z`);

test.each([
  ['before its time of day', DAILY, '2026-11-25T02:29:59', '2026-11-24T02:30', '2026-11-25T02:30'],
  ['at its time of day', DAILY, '2026-11-25T02:30', '2026-11-25T02:30', '2026-11-26T02:30'],
  ['on its day, before', WEEKLY, '2026-11-25T02:00', '2026-11-18T02:30', '2026-11-25T02:30'],
  ['on its day, after', WEEKLY, '2026-11-25T03:00', '2026-11-25T02:30', '2026-12-02T02:30'],
  ['the day before', WEEKLY, '2026-11-24T23:59', '2026-11-18T02:30', '2026-11-25T02:30'],
] as const)('%s', (_name, times, now, last, next) => {
  expect(lastDue(times, date(now))).toEqual(date(last));
  expect(nextDue(times, date(now))).toEqual(date(next));
});

test('a time that is due is the newest of its kind that has passed', () => {
  const times = fc.record({
    every: fc.constantFrom('daily' as const, 'weekly' as const),
    weekday: fc.constantFrom(...WEEKDAYS),
    at: fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':')),
  });
  const moments = fc.date({ min: date('2020-01-01T00:00'), max: date('2040-01-01T00:00'), noInvalidDate: true });
  fc.assert(
    fc.property(times, moments, (schedule, now) => {
      const [last, next] = [lastDue(schedule, now), nextDue(schedule, now)];
      expect(last <= now && now < next).toBe(true);
      for (const due of [last, next]) {
        expect(due.toISOString().slice(11, 19)).toBe(`${schedule.at}:00`);
        if (schedule.every === 'weekly') expect(WEEKDAYS[due.getUTCDay()]).toBe(schedule.weekday);
      }
    }),
  );
});

test.each([
  ['nothing was ever counted', null, '2026-11-25T03:00', 'restart'],
  ['this time was served', '2026-11-25T02:30:00.000Z', '2026-11-25T03:00', null],
  ['a time has come', '2026-11-24T02:30:00.000Z', '2026-11-25T02:30:01', { due: date('2026-11-25T02:30') }],
  [
    'many were missed: one is made up',
    '2026-10-01T02:30:00.000Z',
    '2026-11-25T20:00',
    { due: date('2026-11-25T02:30') },
  ],
  ['the clock was set back a little', '2026-11-25T02:30:00.000Z', '2026-11-25T02:29:30', null],
  ['the clock was set back far', '2031-01-01T02:30:00.000Z', '2026-11-25T03:00', 'restart'],
] as const)('%s', (_name, counted_from, now, wanted) => {
  expect(asked({ ...SCHEDULE_DEFAULTS, ...DAILY }, counted_from, date(now))).toEqual(wanted);
});
