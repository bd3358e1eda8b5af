// Changes the schedule of archives.
import { ARCHIVES_PATH, ARCHIVES_TAG } from '../../../shared/appliance/archive/kept.ts';
import { saveSchedule } from '../../../shared/appliance/archive/schedule/save.ts';
import { scheduleSchema, scheduleUpdateSchema } from '../../../shared/appliance/archive/schedule/schemas.ts';
import { archiveStanding } from '../../../shared/appliance/archive/schedule/standing.ts';
import { missingScope } from '../../../shared/kernel/access/missing-scope.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'updateArchiveSchedule',
  method: 'PATCH',
  path: `${ARCHIVES_PATH}/schedule`,
  access: { scope: 'write:archives' },
  effect: 'immediate',
  tag: ARCHIVES_TAG,
  summary: 'Update the schedule of archives',
  description:
    'Changes application state immediately; no apply concerns it. Times of day are UTC. Archives of the schedule are always encrypted for its recipients and hold every secret, so it needs `write:vaults` too. A run that is missed, because the appliance is off or another run takes longer, is made up once. Copies that are over are deleted at a target after a new one was verified there: only copies that this appliance verified there, at most 20 in a run, and never the newest. Omitted properties keep their value; values equal to the saved ones change nothing and keep the revision.',
  body: scheduleUpdateSchema,
  answers: {
    200: { description: 'The schedule as saved now.', schema: scheduleSchema, tagged: true, live: true },
  },
  problems: ['revision_stale', 'malformed_precondition'],
  audit: ['archive.schedule.update'],
  async run({ tx, services, actor, body, request, audit }) {
    if (!actor.scopes.has('write:vaults'))
      throw missingScope(actor, 'write:vaults', 'Recipients of archives read the values of the vaults.');
    const { saved, changed } = await saveSchedule(tx, services, body, request.if_match);
    const { revision, updated_at: _at, ...schedule } = saved;
    const detail = { changed, ...(changed.length > 0 && schedule) };
    audit({ action: 'archive.schedule.update', resource_type: 'archive_schedule', resource_id: null, detail });
    return { body: { ...saved, standing: await archiveStanding(tx, services, saved) }, revision };
  },
});
