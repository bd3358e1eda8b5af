// The schedule of archives, and whether there is a copy that is young enough.

import { ARCHIVES_PATH, ARCHIVES_TAG } from '../../../shared/appliance/archive/kept.ts';
import { readSchedule } from '../../../shared/appliance/archive/schedule/document.ts';
import { scheduleSchema } from '../../../shared/appliance/archive/schedule/schemas.ts';
import { archiveStanding } from '../../../shared/appliance/archive/schedule/standing.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getArchiveSchedule',
  method: 'GET',
  path: `${ARCHIVES_PATH}/schedule`,
  access: { scope: 'read:archives' },
  tag: ARCHIVES_TAG,
  summary: 'Get the schedule of archives',
  description:
    'When archives are made, for which recipients, and which copies are kept; and, in `standing`, whether a verified copy is young enough.',
  answers: {
    200: {
      description: 'The schedule, with the entity tag that If-Match takes.',
      schema: scheduleSchema,
      tagged: true,
      live: true,
    },
  },
  async run({ db, services }) {
    const schedule = await readSchedule(db);
    const standing = await archiveStanding(db, services, schedule);
    return { body: { ...schedule, standing }, revision: schedule.revision };
  },
});
