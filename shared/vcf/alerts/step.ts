// From what stood and what is there now to what is opened, closed and told. Pure: the same conditions again change nothing.
import { instant } from '../../ground/clock.ts';
import type { Alert, AlertEvent, Present } from './alert.ts';
import type { ConditionId } from './condition-ids.ts';
import type { Rules } from './rules.ts';

/** Doublings of the time that a condition has to be gone. */
const DOUBLED_MOST = 6;

export interface Seen {
  now: Date;
  present: readonly Present[];
  /** Conditions that could not be looked at now: whether they are there is not known, so that nothing is closed. */
  unknown: ReadonlySet<ConditionId>;
}

export type Hold = Pick<Rules, 'open_after_seconds' | 'close_after_seconds' | 'reminder_hours' | 'silent'>;

/** What becomes of an alert; `tells` what receivers hear of it. */
export interface Change {
  alert: Omit<Alert, 'id'> & { id: string | null };
  tells: AlertEvent | null;
  /** It was never told: the row goes. */
  forget?: true;
}

const keyOf = (condition: string, subject: string): string => `${condition} ${subject}`;

/**
 * `standing`: all that wait or are open. `flapsOf`: how often the same one came back before, for one that is new.
 * Answers only what changes.
 */
export function step(
  standing: readonly Alert[],
  { now, present, unknown }: Seen,
  hold: Hold,
  flapsOf: (condition: ConditionId, subject: string) => number = () => 0,
): Change[] {
  const silent = new Set<string>(hold.silent);
  const there = new Map(
    present.filter(({ id }) => !silent.has(id)).map((condition) => [keyOf(condition.id, condition.subject), condition]),
  );
  const known = new Set(standing.map(({ condition, subject }) => keyOf(condition, subject)));
  const changes: (Change | null)[] = standing.map((alert) => {
    const condition = there.get(keyOf(alert.condition, alert.subject));
    if (condition) return stays(alert, condition, now, hold);
    if (unknown.has(alert.condition) && !silent.has(alert.condition)) return null;
    return gone(alert, now, hold);
  });
  for (const [key, condition] of there) {
    if (known.has(key)) continue;
    const fresh = waiting(condition, now, flapsOf(condition.id, condition.subject));
    changes.push(opened(fresh, now, hold) ?? { alert: fresh, tells: null });
  }
  return changes.filter((change) => change !== null);
}

function waiting({ id, subject, severity, says }: Present, now: Date, flaps: number): Change['alert'] {
  return {
    ...{ id: null, condition: id, subject, severity, says, state: 'waiting', since: instant(now), flaps },
    ...{ opened_at: null, gone_since: null, closed_at: null, reminded_at: null },
    ...{ acknowledged_at: null, acknowledged_by: null },
  };
}

/** A span that began later than now was measured by a clock that was set back since: it is over. */
const over = (since: string, now: Date, seconds: number): boolean => {
  const passed = now.getTime() - Date.parse(since);
  return passed < 0 || passed >= seconds * 1000;
};

function opened(alert: Change['alert'], now: Date, { open_after_seconds }: Hold): Change | null {
  if (!over(alert.since, now, open_after_seconds)) return null;
  return { alert: { ...alert, state: 'open', opened_at: instant(now) }, tells: 'opened' };
}

function stays(before: Alert, { severity, says }: Present, now: Date, hold: Hold): Change | null {
  const alert: Alert = { ...before, severity, says, gone_since: null };
  if (before.state === 'waiting') {
    const open = opened(alert, now, hold);
    return open ?? (differs(before, alert) ? { alert, tells: null } : null);
  }
  // Somebody acknowledged what was less: it is to be looked at again.
  if (before.severity === 'warning' && severity === 'critical')
    return { alert: { ...alert, acknowledged_at: null, acknowledged_by: null, reminded_at: null }, tells: 'worse' };
  const { reminder_hours } = hold;
  const last = before.reminded_at ?? before.opened_at!;
  if (reminder_hours > 0 && before.acknowledged_at === null && over(last, now, reminder_hours * 3600))
    return { alert: { ...alert, reminded_at: instant(now) }, tells: 'reminder' };
  return differs(before, alert) ? { alert, tells: null } : null;
}

const differs = (one: Alert, other: Alert): boolean =>
  one.severity !== other.severity || one.says !== other.says || one.gone_since !== other.gone_since;

function gone(alert: Alert, now: Date, { close_after_seconds, silent }: Hold): Change | null {
  if (alert.state === 'waiting') return { alert, tells: null, forget: true };
  const closed: Change = { alert: { ...alert, state: 'closed', closed_at: instant(now) }, tells: 'closed' };
  if (silent.includes(alert.condition)) return closed;
  if (alert.gone_since === null) return { alert: { ...alert, gone_since: instant(now) }, tells: null };
  const seconds = close_after_seconds * 2 ** Math.min(alert.flaps, DOUBLED_MOST);
  return over(alert.gone_since, now, seconds) ? closed : null;
}
