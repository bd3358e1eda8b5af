// Lists of VCF Automation, which come in pages.
import * as v from 'valibot';
import { Problem } from '../../ground/problems.ts';
import type { AutomationSession } from './session.ts';

const PAGE_SIZE = 128;
const MOST_PAGES = 40;

/** All values. @throws Problem 409 `remote_answer_unusable` for a list that does not end */
export async function allValues<T>(
  session: AutomationSession,
  { path, what, signal }: { path: string; what: string; signal?: AbortSignal | undefined },
  schema: v.GenericSchema<unknown, T>,
): Promise<T[]> {
  const pageSchema = v.looseObject({ pageCount: v.nullish(v.number(), 1), values: v.array(schema) });
  const all: T[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const query = new URLSearchParams({ page: `${page}`, pageSize: `${PAGE_SIZE}` });
    const answer = await session.ask({ method: 'GET', path: `${path}?${query}`, what, signal }, pageSchema);
    all.push(...answer.values);
    if (page >= (answer.pageCount ?? 1) || answer.values.length === 0) return all;
  }
  throw new Problem('remote_answer_unusable', `The list of ${what} has more than ${MOST_PAGES * PAGE_SIZE} entries.`);
}
