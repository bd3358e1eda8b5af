// Revisions: each row counts its changes; the count is the strong entity tag of the resource (RFC 9110, 8.8.3).
import { Problem } from '../operation/problems.ts';

export function entityTag(revision: number): string {
  return `"r${revision}"`;
}

/**
 * Reads an If-Match header: a revision, null for none or `*`.
 * @throws Problem 400 when it is not a strong tag of this API; weak tags never match If-Match.
 */
export function parseIfMatch(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null;
  const match = /^\s*"r([0-9]{1,15})"\s*$/.exec(header);
  if (!match) {
    throw new Problem('malformed_precondition', 'If-Match must be one entity tag of this API, such as "r17", or *.');
  }
  return Number(match[1]);
}

/** @throws Problem 412 carrying the current tag. */
export function requireRevision(expected: number | null, current: number): void {
  if (expected === null || expected === current) return;
  throw new Problem('revision_stale', `The resource changed since revision ${expected}; it is now at ${current}.`, {
    etag: entityTag(current),
  });
}
