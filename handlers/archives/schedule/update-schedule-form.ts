// The form of the schedule of archives, after the own password: recipients read everything that is saved.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as updateSchedule } from './update-schedule.ts';

const PAGE = pagePath('archive-schedule');
const COUNTS = ['keep_last', 'keep_daily', 'keep_weekly', 'keep_monthly'] as const;

export const operation = formOf(updateSchedule, {
  path: `${PAGE}/edit`,
  confirms: { resource_type: 'archive_schedule' },
  decode: (fields) => ({
    enabled: fields.checked('enabled'),
    every: fields.text('every'),
    weekday: fields.text('weekday'),
    at: fields.text('at'),
    recipients: fields.list('recipients'),
    ...Object.fromEntries(COUNTS.map((name) => [name, fields.integer(name)])),
  }),
  done: () => ({ location: PAGE, flash: 'The schedule is saved.' }),
});
