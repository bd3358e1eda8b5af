// The filtered log as a file: a text, or JSON lines.
import * as v from 'valibot';
import { entryText, type LogEntry } from '../../shared/appliance/logs/entry.ts';
import { logFilter, logPageQuery } from '../../shared/appliance/logs/page-query.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

/** More than a person reads; a program pages through the API. */
const MOST_ROWS = 10_000;
/** Of 2,000 lines each. */
const READINGS = 10;

const FORMATS = {
  text: { media: 'text/plain; charset=utf-8', extension: 'log' },
  json: { media: 'application/jsonl; charset=utf-8', extension: 'jsonl' },
} as const;

export const operation = defineOperation({
  id: 'downloadLogs',
  method: 'GET',
  path: `${pagePath('logs')}/download`,
  plane: 'management',
  access: { session: 'read:logs' },
  tag: 'Pages',
  summary: 'Log as a file',
  description: `The lines that match the filter of the page, oldest first, at most ${MOST_ROWS} of the newest.`,
  query: v.object({ ...logPageQuery.entries, format: v.optional(v.picklist(['text', 'json']), 'text') }),
  openQuery: 'Its link carries the query of its page.',
  answers: { 200: { description: 'The file.' } },
  problems: ['invalid_cursor', 'log_unreadable', 'too_many_attempts'],
  async run({ services, actor, query }) {
    const { readLogs } = await import('../../shared/appliance/logs/read-logs.ts');
    const { filter } = logFilter(query);
    const { items } = await readLogs(
      services,
      { ...filter, cursor: undefined, limit: MOST_ROWS },
      {
        readings: READINGS,
        reader: actor.user_id,
      },
    );
    const { media, extension } = FORMATS[query.format];
    const said = query.format === 'json' ? (entry: LogEntry) => `${JSON.stringify(entry)}\n` : entryText;
    return {
      html: items.reverse().map(said).join(''),
      headers: { 'content-type': media, 'content-disposition': `attachment; filename="groundcrew.${extension}"` },
    };
  },
});
