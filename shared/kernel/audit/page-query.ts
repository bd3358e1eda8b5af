// The filter of the audit page: as typed in its bar, and as the list understands it.
import * as v from 'valibot';
import type { AuditQuery } from './list.ts';
import { actionsSaying } from './words.ts';

const text = v.optional(v.pipe(v.string(), v.maxLength(512)), '');

/** Unknown parameters are ignored, so that a URL with additions still works. */
export const auditPageQuery = v.object({
  actor: text,
  action: text,
  resource_type: text,
  resource_id: text,
  outcome: text,
  since: text,
  until: text,
  request_id: text,
  cursor: text,
});
export type AuditPageQuery = v.InferOutput<typeof auditPageQuery>;

export interface AuditFilter {
  filter: Omit<AuditQuery, 'limit'>;
  /** What could not be read and is therefore not filtered by, in words. */
  faults: string[];
}

export function auditFilter(query: AuditPageQuery): AuditFilter {
  const faults: string[] = [];
  const moment = (name: 'since' | 'until', word: string): string | undefined => {
    if (query[name] === '') return undefined;
    const read = utc(query[name].trim());
    if (read === null) faults.push(`${word} is not a date and time, such as 2026-03-14T09:30.`);
    return read ?? undefined;
  };
  const given = (name: keyof AuditPageQuery): string | undefined => query[name].trim() || undefined;
  const outcome = given('outcome');
  return {
    filter: {
      actor: given('actor'),
      action: given('action'),
      actions: actionsSaying(query.action),
      resource_type: given('resource_type'),
      resource_id: given('resource_id'),
      outcome: outcome === 'success' || outcome === 'failure' ? outcome : undefined,
      request_id: given('request_id'),
      since: moment('since', 'From'),
      until: moment('until', 'Until'),
      cursor: given('cursor'),
    },
    faults,
  };
}

/** A date, a date and time, or a full instant; without a zone it is UTC. Null when it can't be read. */
export function utc(typed: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z?)?$/.test(typed)) return null;
  const zoned = typed.length === 10 ? `${typed}T00:00Z` : typed.replace(' ', 'T').replace(/Z?$/, 'Z');
  const at = new Date(zoned);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
