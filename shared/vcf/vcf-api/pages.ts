// Lists of the appliance's API, which come in pages.
import * as v from 'valibot';
import { askFor } from './answers.ts';
import { ApplianceFault } from './fault.ts';
import type { Asker } from './transport.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const pageSchema = v.looseObject({
  elements: v.nullish(v.array(v.unknown()), []),
  pageMetadata: v.nullish(
    v.looseObject({ totalElements: v.nullish(count, null), totalPages: v.nullish(count, null) }),
    null,
  ),
});

export interface ListQuestion {
  path: string;
  what: string;
  /** Most bytes of one page, most elements of all. */
  limit: number;
  most: number;
  /** Identifies an element, so that one that comes twice counts once. */
  idOf: (element: unknown) => string | null;
  signal?: AbortSignal | undefined;
}

const MOST_PAGES = 200;
/** Bytes of all pages together, as a multiple of one page's limit: all stay in memory until the last page. */
const MOST_FULL_PAGES = 4;

/**
 * All elements. Size 0 asks for everything at once; an appliance that cuts all the same says how many pages there are.
 * Whether it numbers them from 0 or 1 is not known: pages are asked for until all elements came, and doubles count
 * once.
 * @throws ApplianceFault `unreadable` for more elements than `most` or more bytes than four full pages, or when some
 * never came.
 */
export async function allElements(asker: Asker, question: ListQuestion): Promise<unknown[]> {
  const { path, what, limit, most, idOf, signal } = question;
  const found = new Map<string, unknown>();
  let total: number | null = null;
  let bytes = 0;
  const counting: Asker = {
    async ask(asked) {
      const answer = await asker.ask(asked);
      bytes += answer.body.length;
      return answer;
    },
  };
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const paged = `${path}${path.includes('?') ? '&' : '?'}pageNumber=${page}&pageSize=0`;
    const answer = await askFor(counting, { method: 'GET', path: paged, limit, what, signal }, pageSchema);
    const before = found.size;
    for (const [at, element] of answer.elements.entries()) found.set(idOf(element) ?? `${page}/${at}`, element);
    if (bytes > MOST_FULL_PAGES * limit) throw new ApplianceFault('unreadable', `The list of ${what} is too large.`);
    if (found.size > most) throw new ApplianceFault('unreadable', `There are more than ${most} of ${what}.`);
    total = answer.pageMetadata?.totalElements ?? total;
    const pages = answer.pageMetadata?.totalPages ?? 1;
    const complete = total !== null && found.size >= total;
    // Where pages count from 1, page 0 is answered with page 1: a page without new elements is not the end yet.
    if (complete || page >= pages || pages <= 1 || (found.size === before && page > 1)) break;
  }
  if (total !== null && found.size < total) {
    throw new ApplianceFault('unreadable', `Only ${found.size} of ${total} elements of ${what} came.`);
  }
  return [...found.values()];
}
