// When the schedule is due. Times of day are UTC: they come once a day, whatever a time zone does with its clocks. Pure.

export const PERIODS = ['daily', 'weekly'] as const;
/** In the order in which JavaScript counts them. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

export interface Times {
  every: (typeof PERIODS)[number];
  /** Counts for `weekly` alone. */
  weekday: (typeof WEEKDAYS)[number];
  /** `02:00` */
  at: string;
}

const DAY_MS = 86_400_000;

export const periodSeconds = ({ every }: Pick<Times, 'every'>): number => (every === 'daily' ? 1 : 7) * 86_400;

/** The newest time that is not after `now`. */
export function lastDue(times: Times, now: Date): Date {
  const [hours, minutes] = times.at.split(':').map(Number) as [number, number];
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hours, minutes);
  const back = times.every === 'daily' ? 0 : (now.getUTCDay() - WEEKDAYS.indexOf(times.weekday) + 7) % 7;
  const due = today - back * DAY_MS;
  return new Date(due > now.getTime() ? due - periodSeconds(times) * 1000 : due);
}

/** The first time after `now`. */
export const nextDue = (times: Times, now: Date): Date =>
  new Date(lastDue(times, now).getTime() + periodSeconds(times) * 1000);

/** The one run that is due: the newest time after `counted_from`. Of several that were missed it makes up one. */
export function dueSince(times: Times, counted_from: Date, now: Date): Date | null {
  const due = lastDue(times, now);
  return due > counted_from ? due : null;
}
