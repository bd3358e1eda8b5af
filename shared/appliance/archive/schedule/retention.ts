// Which copies at a target are over. Pure: it knows copies by when their archives were made, and nothing of files.

export interface Keep {
  /** The newest ones, whenever they were made; at least one. */
  keep_last: number;
  /** Days, weeks (from Monday) and months, by UTC, of which the newest copy is kept; 0: none is kept for that. */
  keep_daily: number;
  keep_weekly: number;
  keep_monthly: number;
}

interface Aged {
  /** RFC 3339 in UTC. */
  made_at: string;
}

/** Copies that one run deletes at one target: a mistake in the settings must not take all of them at once. */
export const DELETED_AT_ONCE = 20;

const DAY_MS = 86_400_000;
/** A Monday. */
const MONDAY = Date.UTC(1970, 0, 5);

const SPANS: readonly [keyof Keep, (at: Date) => string][] = [
  ['keep_daily', (at) => at.toISOString().slice(0, 10)],
  ['keep_weekly', (at) => String(Math.floor((at.getTime() - MONDAY) / (7 * DAY_MS)))],
  ['keep_monthly', (at) => at.toISOString().slice(0, 7)],
];

/**
 * The copies to delete, the oldest first, at most DELETED_AT_ONCE. All of `copies` are verified ones of one target; the
 * newest of them is never among the answer.
 */
export function overdue<C extends Aged>(copies: readonly C[], keep: Keep): C[] {
  const newest = [...copies].sort((one, other) => (one.made_at < other.made_at ? 1 : -1));
  const kept = new Set(newest.slice(0, Math.max(1, keep.keep_last)));
  for (const [count, spanOf] of SPANS) {
    const seen = new Set<string>();
    for (const copy of newest) {
      const span = spanOf(new Date(copy.made_at));
      if (seen.has(span)) continue;
      if (seen.size >= keep[count]) break;
      seen.add(span);
      kept.add(copy);
    }
  }
  return newest
    .filter((copy) => !kept.has(copy))
    .reverse()
    .slice(0, DELETED_AT_ONCE);
}
