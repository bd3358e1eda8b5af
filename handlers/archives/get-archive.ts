// One archive that lies on the appliance.
import { ARCHIVES_PATH, ARCHIVES_TAG, findArchive } from '../../shared/appliance/archive/kept.ts';
import { archiveParam, archiveSchema } from '../../shared/appliance/archive/schemas.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getArchive',
  method: 'GET',
  path: `${ARCHIVES_PATH}/{archive_id}`,
  access: { scope: 'read:archives' },
  tag: ARCHIVES_TAG,
  summary: 'Get an archive',
  description: 'What is known of the file; its bytes are at `content`.',
  params: archiveParam,
  answers: { 200: { description: 'The archive as it is now.', schema: archiveSchema } },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    return { body: await findArchive(db, params.archive_id) };
  },
});
