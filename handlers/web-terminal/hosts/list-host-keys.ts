// Lists host keys of other machines that somebody confirmed.
import * as v from 'valibot';
import { PAGE_QUERY, pageLimit } from '../../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { HOST_KEYS_PATH, hostKeyListSchema, listHostKeys } from '../../../shared/services/web-terminal/host-keys.ts';

export const operation = defineOperation({
  id: 'listTerminalHostKeys',
  method: 'GET',
  path: HOST_KEYS_PATH,
  access: { scope: 'read:terminal' },
  tag: 'Web terminal',
  summary: 'List confirmed host keys of other machines',
  description:
    'By machine and port: terminals and visits to files go to these machines alone, and to none that shows another key. Who confirmed it and when is there too.',
  query: v.strictObject(PAGE_QUERY),
  answers: {
    200: { description: 'A page of the host keys; `next_cursor` leads to the next.', schema: hostKeyListSchema },
  },
  problems: ['invalid_cursor'],
  async run({ db, query }) {
    return { body: await listHostKeys(db, { cursor: query.cursor, limit: pageLimit(query.limit) }) };
  },
});
