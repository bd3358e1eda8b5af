// The filter of the page: as typed in its bar, and as the log is read.
import * as v from 'valibot';
import { utc } from '../../kernel/audit/page-query.ts';
import { LEVELS } from './entry.ts';
import type { LogQuery } from './read-logs.ts';
import { SOURCE_IDS } from './sources.ts';

export const TEXT_MOST = 128;
const text = v.optional(v.pipe(v.string(), v.maxLength(512)), '');

/** Unknown parameters are ignored, so that an address with additions still works. */
export const logPageQuery = v.object({
  source: text,
  level: text,
  text,
  request_id: text,
  since: text,
  until: text,
  follow: text,
  cursor: text,
});
export type LogPageQuery = v.InferOutput<typeof logPageQuery>;

export interface LogFilter {
  filter: Omit<LogQuery, 'limit'>;
  /** What could not be read and is therefore not filtered by, in words. */
  faults: string[];
}

export function logFilter(query: LogPageQuery): LogFilter {
  const faults: string[] = [];
  const moment = (name: 'since' | 'until', word: string): string | undefined => {
    if (query[name] === '') return undefined;
    const read = utc(query[name].trim());
    if (read === null) faults.push(`${word} is not a date and time, such as 2026-03-14T09:30.`);
    return read ?? undefined;
  };
  const given = (name: keyof LogPageQuery): string | undefined => query[name].trim().slice(0, TEXT_MOST) || undefined;
  return {
    filter: {
      source: SOURCE_IDS.find((id) => id === query.source),
      level: LEVELS.find((level) => level === query.level),
      text: given('text'),
      request_id: given('request_id'),
      since: moment('since', 'From'),
      until: moment('until', 'Until'),
      cursor: query.cursor || undefined,
    },
    faults,
  };
}
