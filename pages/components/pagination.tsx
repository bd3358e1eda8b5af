// Pages of a list by cursor: forward, and back to the first page.
import { ButtonLink } from './button.tsx';
import { linkWith, type Place } from './query.ts';

export interface PaginationProps {
  place: Place;
  nextCursor: string | null;
  /** "100 of 412 records", or what is known. */
  summary?: string;
}

/** Nothing at all while the whole list fits on one page and there is nothing to sum up. */
export function Pagination({ place, nextCursor, summary }: PaginationProps) {
  const later = new URLSearchParams(place.query).has('cursor');
  if (!later && nextCursor === null && summary === undefined) return null;
  return (
    <nav class="pages" aria-label="Pages of this list">
      <p>{summary}</p>
      {later && <ButtonLink href={linkWith(place, { cursor: null })}>First page</ButtonLink>}
      {nextCursor !== null && <ButtonLink href={linkWith(place, { cursor: nextCursor })}>Next page</ButtonLink>}
    </nav>
  );
}
