// The bytes of an archive, for programs.
import { archiveContent } from '../../shared/appliance/archive/content.ts';
import { ARCHIVES_PATH, ARCHIVES_TAG } from '../../shared/appliance/archive/kept.ts';
import { archiveParam } from '../../shared/appliance/archive/schemas.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'downloadArchive',
  method: 'GET',
  path: `${ARCHIVES_PATH}/{archive_id}/content`,
  access: { scope: 'read:archives' },
  tag: ARCHIVES_TAG,
  summary: 'Download an archive',
  description:
    'The file as it is kept: encrypted, it is one that the program `age` opens. Its `sha256` is that of the archive.',
  params: archiveParam,
  answers: { 200: { description: 'The bytes of the file, as they are kept.', media: 'application/octet-stream' } },
  problems: ['resource_not_found', 'state_conflict'],
  run: ({ db, services, params }) => archiveContent({ db, services }, params.archive_id),
});
