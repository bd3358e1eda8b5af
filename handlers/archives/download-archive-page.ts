// The bytes of an archive, for a browser.
import { archiveContent } from '../../shared/appliance/archive/content.ts';
import { archiveParam } from '../../shared/appliance/archive/schemas.ts';
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'downloadArchivePage',
  method: 'GET',
  path: `${pageRoute('archive')}/content`,
  plane: 'management',
  access: { session: 'read:archives' },
  tag: 'Pages',
  summary: 'Archive as a file',
  description: 'The file as it is kept.',
  params: archiveParam,
  answers: { 200: { description: 'The file.' } },
  problems: ['resource_not_found', 'state_conflict'],
  run: ({ db, services, params }) => archiveContent({ db, services }, params.archive_id),
});
