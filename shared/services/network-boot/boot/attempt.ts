// The states of a boot attempt and its ten minutes. Pure. An attempt lives only while the wall clock and the machine's
// uptime both say so: a clock that is set, either way, ends it and never prolongs it.
import { type Clock, instant, later } from '../../../ground/clock.ts';
import type { Uptime } from '../../../ground/machine/uptime.ts';

export const ATTEMPT_STATES = ['pending', 'issued', 'consumed', 'expired', 'burnt'] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/** Seconds from the choice on the console, and again from the authorization. */
export const LIFETIME = 600;

/** Why an attempt ended, and the state that it ends in. */
export const END_REASONS = {
  retrieved: 'consumed',
  'time-over': 'expired',
  superseded: 'expired',
  'wrong-codes': 'burnt',
  mismatch: 'burnt',
  'applied-changed': 'burnt',
  unrenderable: 'burnt',
  'vault-value': 'burnt',
  revoked: 'burnt',
} as const satisfies Record<string, AttemptState>;
export type EndReason = keyof typeof END_REASONS;

/** State → next states; an ended attempt never changes again. */
export const TRANSITIONS: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
  pending: ['issued', 'expired', 'burnt'],
  issued: ['consumed', 'expired', 'burnt'],
  consumed: [],
  expired: [],
  burnt: [],
};

export const isOpen = (state: AttemptState): boolean => TRANSITIONS[state].length > 0;

/** A time by both clocks. */
export interface Moment {
  at: Date;
  boot: string;
  /** Milliseconds since the machine started. */
  uptime: number;
}

export function momentOf(clock: Clock, uptime: Uptime): Moment {
  return { at: clock.now(), boot: uptime.boot, uptime: uptime.milliseconds() };
}

/** The columns that limit the life of an attempt. */
export interface Window {
  window_from: string;
  expires_at: string;
  uptime_boot: string;
  uptime_from: number;
  uptime_until: number;
}

export function windowFrom({ at, boot, uptime }: Moment, seconds: number): Window {
  return {
    window_from: instant(at),
    expires_at: instant(later(at, seconds)),
    uptime_boot: boot,
    uptime_from: uptime,
    uptime_until: uptime + seconds * 1000,
  };
}

/** Whether both clocks are inside the window. The statement that consumes has the same condition. */
export function isWithin(window: Window, { at, boot, uptime }: Moment): boolean {
  const now = instant(at);
  const byWall = window.window_from <= now && now < window.expires_at;
  return byWall && window.uptime_boot === boot && window.uptime_from <= uptime && uptime < window.uptime_until;
}

/** The state now: an attempt that ran out is expired even before the ticker runs. */
export function standing(attempt: Window & { state: AttemptState }, now: Moment): AttemptState {
  return isOpen(attempt.state) && !isWithin(attempt, now) ? 'expired' : attempt.state;
}

/** Whole seconds left, by the clock that has less; 0 when the time is over. */
export function secondsLeft(attempt: Window & { state: AttemptState }, now: Moment): number {
  if (!isOpen(standing(attempt, now))) return 0;
  const byWall = Date.parse(attempt.expires_at) - now.at.getTime();
  return Math.max(0, Math.ceil(Math.min(byWall, attempt.uptime_until - now.uptime) / 1000));
}
