// Lists recordings of terminals.
import * as v from 'valibot';
import { PAGE_QUERY, pageLimit } from '../../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { listRecordings } from '../../../shared/services/web-terminal/recording/recordings.ts';
import {
  RECORDINGS_PATH,
  RECORDINGS_TAG,
  recordingListSchema,
} from '../../../shared/services/web-terminal/recording/schemas.ts';

export const operation = defineOperation({
  id: 'listTerminalRecordings',
  method: 'GET',
  path: RECORDINGS_PATH,
  access: { scope: 'read:terminal-recordings' },
  tag: RECORDINGS_TAG,
  summary: 'List recordings of terminals',
  description:
    'Whose they are, when they began and how they ended, newest first; what was printed is no part of it. A person replays or exports one on its page, which is written to the audit log.',
  query: v.strictObject(PAGE_QUERY),
  answers: {
    200: { description: 'A page of the recordings; `next_cursor` leads to the next.', schema: recordingListSchema },
  },
  problems: ['invalid_cursor'],
  async run({ services, query }) {
    return { body: await listRecordings(services, { cursor: query.cursor, limit: pageLimit(query.limit) }) };
  },
});
