// The button that runs the schedule now.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as runSchedule } from './run-schedule.ts';

const PAGE = pagePath('archive-schedule');

export const operation = formOf(runSchedule, {
  path: `${PAGE}/run`,
  page: PAGE,
  done: ({ body }) => ({ location: pagePath('job', (body as { job_id: string }).job_id) }),
});
