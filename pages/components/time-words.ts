// Instants and durations as words, on the server and, kept fresh, in the browser.

const STEPS: readonly (readonly [below: number, seconds: number, unit: string])[] = [
  [90, 1, 's'],
  [90 * 60, 60, 'min'],
  [36 * 3600, 3600, 'h'],
  [Number.POSITIVE_INFINITY, 86_400, 'd'],
];

/** `12 s ago`, `3 min ago`, `in 9 d`; both instants are RFC 3339. */
export function relative(at: string, now: string): string {
  const seconds = Math.round((Date.parse(at) - Date.parse(now)) / 1000);
  const size = Math.abs(seconds);
  if (size < 2) return 'just now';
  const [, per, unit] = STEPS.find(([below]) => size < below) ?? STEPS[3]!;
  const amount = `${Math.round(size / per)} ${unit}`;
  return seconds < 0 ? `${amount} ago` : `in ${amount}`;
}

/** `2026-03-14 09:41:07 UTC` of an RFC 3339 instant in UTC. */
export function exact(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}

/** `41 ms`, `1.5 s`, `2 min 18 s` of milliseconds. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  const seconds = Math.round(ms / 1000);
  const rest = seconds % 60;
  return rest === 0 ? `${(seconds - rest) / 60} min` : `${(seconds - rest) / 60} min ${rest} s`;
}

/** `2:42` of seconds, for a countdown. */
export function countdown(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
