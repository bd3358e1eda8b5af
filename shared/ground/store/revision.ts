// Revisions: each row counts its changes; the count is the strong entity tag of the resource (RFC 9110, 8.8.3).
import { Problem } from '../problems.ts';

export function entityTag(revision: number): string {
  return `"r${revision}"`;
}

/** Entity tags of which one must be the current one; null: whichever there is. */
export type Precondition = readonly string[] | null;

/** One element of a list of entity tags, up to its comma or the end: a tag, or nothing (RFC 9110, 5.6.1 and 8.8.3). */
const ELEMENT = /[ \t]*(?:((?:W\/)?"[!#-~\x80-\xff]*")[ \t]*)?(?:,|$)/y;

/**
 * Reads an If-Match header (RFC 9110, 13.1.1). Tags that this API never made are kept: no revision meets them, and neither
 * does one meet a weak tag.
 * @throws Problem 400 when it is neither entity tags nor `*`.
 */
export function parseIfMatch(header: string | undefined): Precondition {
  if (header === undefined || header.trim() === '*') return null;
  const tags: string[] = [];
  for (let at = 0; at < header.length; at = ELEMENT.lastIndex) {
    ELEMENT.lastIndex = at;
    const element = ELEMENT.exec(header);
    if (!element) throw malformed();
    if (element[1] !== undefined) tags.push(element[1]);
  }
  if (tags.length === 0) throw malformed();
  return tags;
}

const malformed = (): Problem =>
  new Problem('malformed_precondition', 'If-Match must be entity tags, such as "r17", separated by commas, or *.');

/** @throws Problem 412 carrying the current tag. */
export function requireRevision(expected: Precondition, current: number): void {
  const etag = entityTag(current);
  if (expected === null || expected.includes(etag)) return;
  const detail = `The resource is at revision ${current}, which is not the one that the request was based on.`;
  throw new Problem('revision_stale', detail, { etag });
}
