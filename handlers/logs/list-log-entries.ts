// Lines of the service and of its daemons.
import * as v from 'valibot';
import { LEVELS } from '../../shared/appliance/logs/entry.ts';
import { TEXT_MOST } from '../../shared/appliance/logs/page-query.ts';
import { logListSchema } from '../../shared/appliance/logs/schemas.ts';
import { SOURCE_IDS } from '../../shared/appliance/logs/sources.ts';
import { described, PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

const text = (description: string) =>
  v.optional(v.pipe(v.string(), v.maxLength(TEXT_MOST), v.description(description)));
const NO_INSTANT = 'Expected an RFC 3339 instant in UTC.';
const moment = (description: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.isoTimestamp(NO_INSTANT),
      v.check((text) => !Number.isNaN(Date.parse(text)), NO_INSTANT),
      v.description(description),
    ),
  );

export const operation = defineOperation({
  id: 'listLogEntries',
  method: 'GET',
  path: '/api/v1/logs',
  access: { scope: 'read:logs' },
  tag: 'Service',
  summary: 'List log lines',
  description:
    'Newest first: lines of the service, of what runs as root for it, and of its daemons, out of the journal; in a rehearsal and in a namespace those of the service since it started. Lines may name people, machines and what they looked for, so only administrators have the scope. What looks like a secret is masked. One answer looks at 6,000 lines at most, for 15 seconds; where nothing matches among them, `items` is empty and `next_cursor` goes on.',
  query: v.strictObject({
    ...PAGE_QUERY,
    source: v.optional(described(v.picklist(SOURCE_IDS), 'Only lines of this source.')),
    level: v.optional(described(v.picklist(LEVELS), 'Only lines of this level and graver ones.')),
    text: text('Only lines that contain this text, whatever the case; it is no pattern.'),
    request_id: text('Only lines of this request.'),
    since: moment('Inclusive.'),
    until: moment('Exclusive.'),
  }),
  answers: { 200: { description: 'A page of lines; `next_cursor` leads to older ones.', schema: logListSchema } },
  problems: ['invalid_cursor', 'log_unreadable', 'too_many_attempts'],
  async run({ services, actor, query }) {
    const { readLogs } = await import('../../shared/appliance/logs/read-logs.ts');
    return {
      body: await readLogs(services, { ...query, limit: pageLimit(query.limit) }, { reader: actor.user_id }),
    };
  },
});
