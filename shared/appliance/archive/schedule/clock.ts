// Up to when the clock has been served: a row of its own, so that an edit of the schedule loses no run, and a run that was
// missed while the appliance was off is made up once.
import { AHEAD_MOST, instant, later } from '../../../ground/clock.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import type { Schedule } from './document.ts';
import { dueSince } from './timing.ts';

export async function countedFrom(db: Database): Promise<string | null> {
  const row = await db.one<{ counted_from: string }>('SELECT counted_from FROM archive_clock');
  return row?.counted_from ?? null;
}

export const countFrom = (tx: Transaction, at: string): Promise<unknown> =>
  tx.run(
    `INSERT INTO archive_clock (id, counted_from) VALUES ('schedule', ?)
     ON CONFLICT (id) DO UPDATE SET counted_from = excluded.counted_from`,
    [at],
  );

/**
 * What the clock asks for: a run that is due, or to count from now on (`restart`): the schedule was never counted, or the
 * clock was set back behind what was counted.
 */
export function asked(schedule: Schedule, counted_from: string | null, now: Date): { due: Date } | 'restart' | null {
  if (counted_from === null || counted_from > instant(later(now, AHEAD_MOST))) return 'restart';
  const due = dueSince(schedule, new Date(counted_from), now);
  return due && { due };
}
