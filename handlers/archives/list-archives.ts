// Lists archives that lie on the appliance.
import * as v from 'valibot';
import { ARCHIVES_PATH, ARCHIVES_TAG, listArchives } from '../../shared/appliance/archive/kept.ts';
import { archiveListSchema } from '../../shared/appliance/archive/schemas.ts';
import { PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'listArchives',
  method: 'GET',
  path: ARCHIVES_PATH,
  access: { scope: 'read:archives' },
  tag: ARCHIVES_TAG,
  summary: 'List archives',
  description: 'Those that were made here and those that were uploaded; newest first.',
  query: v.strictObject(PAGE_QUERY),
  answers: {
    200: { description: 'A page of the archives; `next_cursor` leads to the next.', schema: archiveListSchema },
  },
  problems: ['invalid_cursor'],
  async run({ db, query }) {
    return { body: await listArchives(db, { cursor: query.cursor, limit: pageLimit(query.limit) }) };
  },
});
