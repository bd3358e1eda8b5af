// What the API takes and says of the schedule.
import * as v from 'valibot';
import { component, described, integerSchema, text } from '../../../ground/schemas/component.ts';
import { flag, whole, word } from '../../../platform/units/settings-schemas.ts';
import { RECIPIENTS_MOST, recipient } from '../schemas.ts';
import { DELETED_AT_ONCE } from './retention.ts';
import { PERIODS, WEEKDAYS } from './timing.ts';

const unique = (items: string[]): boolean => new Set(items).size === items.length;

const MEMBERS = {
  enabled: flag('Whether archives are made on a schedule.'),
  every: word(PERIODS, '`daily` or `weekly`.'),
  weekday: word(WEEKDAYS, 'For `weekly`: the day, by UTC.'),
  at: v.pipe(
    v.string(),
    v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Must be a time of day such as 02:00.'),
    v.description('Time of day in UTC, hours and minutes.'),
  ),
  recipients: v.pipe(
    v.array(recipient),
    v.maxLength(RECIPIENTS_MOST, `At most ${RECIPIENTS_MOST} recipients.`),
    v.check(unique, 'Names a recipient twice.'),
    v.description(
      `X25519 recipients of age, as \`age-keygen\` prints them, at most ${RECIPIENTS_MOST}; a schedule that is on needs one. The identity of any of them opens the copies; the appliance itself can’t. There is no passphrase here: it would have to be kept beside what it protects.`,
    ),
  ),
  keep_last: whole(1, 1000, 'Copies that are kept at each target, whenever they were made:'),
  keep_daily: whole(0, 366, 'Days, by UTC, of which the newest copy is kept:'),
  keep_weekly: whole(0, 520, 'Weeks, from Monday, of which the newest copy is kept:'),
  keep_monthly: whole(0, 120, 'Months of which the newest copy is kept:'),
};

export const scheduleUpdateSchema = component('ArchiveScheduleUpdate', v.partial(v.strictObject(MEMBERS)), {
  enabled: true,
  every: 'daily',
  at: '02:00',
  recipients: ['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'],
  keep_last: 7,
});
export type ScheduleUpdate = v.InferOutput<typeof scheduleUpdateSchema>;

const nullableInstant = (what: string) => described(v.nullable(v.string()), `RFC 3339 in UTC; ${what}`);

const standing = described(
  v.object({
    state: described(
      v.picklist(['off', 'no-target', 'current', 'overdue']),
      '`overdue`: the newest verified copy of the appliance, or that of a target that is in use, is older than two periods, or there is none. `no-target`: no target is in use.',
    ),
    newest_verified_at: nullableInstant('of the newest verified copy at any target; null: there is none.'),
    late: described(
      v.array(
        v.object({
          id: text('Id of the target.'),
          name: text('Its name.'),
          newest_verified_at: nullableInstant('null: it has none.'),
        }),
      ),
      'Targets in use whose newest verified copy is older than two periods, or that have none.',
    ),
    next_at: nullableInstant('when the next archive is due; null while the schedule is off.'),
  }),
  'Whether there is a copy that is young enough.',
);

export const scheduleSchema = component(
  'ArchiveSchedule',
  v.object({
    enabled: described(v.boolean(), 'Whether archives are made on a schedule.'),
    every: described(v.picklist(PERIODS), '`daily` or `weekly`.'),
    weekday: described(v.picklist(WEEKDAYS), 'For `weekly`: the day, by UTC.'),
    at: text('Time of day in UTC.'),
    recipients: described(v.array(v.string()), 'X25519 recipients of age, who open the copies.'),
    keep_last: described(integerSchema, 'Copies that are kept at each target, whenever they were made.'),
    keep_daily: described(integerSchema, 'Days of which the newest copy is kept.'),
    keep_weekly: described(integerSchema, 'Weeks of which the newest copy is kept.'),
    keep_monthly: described(
      integerSchema,
      `Months of which the newest copy is kept. One run deletes at most ${DELETED_AT_ONCE} copies at each target, and never the newest verified one.`,
    ),
    standing,
    revision: described(integerSchema, '0 while nothing was ever saved and the defaults hold.'),
    updated_at: nullableInstant('null while nothing was ever saved.'),
  }),
);

export const runSchema = component(
  'ArchiveScheduleRun',
  v.object({ job_id: text('Id of the job that makes the archive and its copies.') }),
);
