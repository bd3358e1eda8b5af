// Whether a copy of what is saved lies elsewhere and is young enough: the one place that judges it. The overview, the
// pages of archives and the API say what this says.
import { AHEAD_MOST, instant, later } from '../../../ground/clock.ts';
import type { Database } from '../../../ground/store/database.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { type Newest, newestCopies } from './copies.ts';
import { readSchedule } from './document.ts';
import { nextDue, periodSeconds } from './timing.ts';

export interface ArchiveStanding {
  state: 'off' | 'no-target' | 'current' | 'overdue';
  /** Of any target, also of one that is out of use. */
  newest_verified_at: string | null;
  /** Targets in use without a copy that is young enough. */
  late: Newest[];
  next_at: string | null;
}

/** Two statements. */
export async function archiveStanding(
  db: Database,
  { clock }: Pick<Services, 'clock'>,
  schedule?: Awaited<ReturnType<typeof readSchedule>>,
): Promise<ArchiveStanding> {
  const now = clock.now();
  const saved = schedule ?? (await readSchedule(db));
  const targets = await newestCopies(db);
  const used = targets.filter(({ enabled }) => enabled);
  const times = targets.flatMap(({ newest_verified_at: at }) => at ?? []).sort();
  const oldest = instant(later(now, -2 * periodSeconds(saved)));
  // One from before the clock was set back is of no known age.
  const ahead = instant(later(now, AHEAD_MOST));
  const late = used
    .filter(({ newest_verified_at: at }) => at === null || at < oldest || at > ahead)
    .map(({ id, name, newest_verified_at }) => ({ id, name, newest_verified_at }));
  const state = !saved.enabled ? 'off' : used.length === 0 ? 'no-target' : late.length > 0 ? 'overdue' : 'current';
  return {
    state,
    newest_verified_at: times.at(-1) ?? null,
    late: saved.enabled ? late : [],
    next_at: saved.enabled ? instant(nextDue(saved, now)) : null,
  };
}

/** What somebody has to be told; null: nothing. */
export function standingFault({ state, late }: Pick<ArchiveStanding, 'state' | 'late'>): string | null {
  if (state === 'no-target') return 'Archives are to be made by the clock, but no target is in use: no copy is made.';
  if (state !== 'overdue') return null;
  const names = late.map(
    ({ name, newest_verified_at }) => `${name}${newest_verified_at === null ? ' (none yet)' : ''}`,
  );
  return `No verified copy of an archive is younger than two periods at: ${names.join(', ')}.`;
}
