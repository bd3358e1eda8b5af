// The record of a confirm window: a plan is in force for a while and goes back unless somebody who came in over the new
// path confirms it (RFC 6241, section 8.4). record-file.ts keeps it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { instant, later, systemClock } from '../../../ground/clock.ts';
import type { UnitId } from '../../../platform/unit-names.ts';

/** Seconds that a window may last, and in all with every extension, counted from when it was opened. */
export const WINDOW = { least: 30, most: 600, default: 120, in_all: 3600 } as const;

/**
 * `armed`: open, also while the change is being made. `confirmed`: the plan stays. `reverting`: somebody is at it, or died
 * at it; whoever finds it goes on. `reverted`, and `unreverted` when a unit could not be rolled back.
 */
export const WINDOW_STATES = ['armed', 'confirmed', 'reverting', 'reverted', 'unreverted'] as const;
export type WindowState = (typeof WINDOW_STATES)[number];

/** Why a window ended without a confirmation. */
export const REVERT_CAUSES = ['timeout', 'cancelled', 'restart', 'failed'] as const;
export type RevertCause = (typeof REVERT_CAUSES)[number];

export interface Ended {
  /** Who or what ended it. */
  by: string;
  /** RFC 3339 */
  at: string;
  cause: RevertCause | 'confirmed';
  /** What was done, in sentences. */
  said: string[];
  /** Units that could not be rolled back. */
  unrestored: UnitId[];
}

export interface WindowRecord {
  plan_id: string;
  state: WindowState;
  /** SHA-256 of the plan's nonce, in hex. */
  nonce_sha256: string;
  /** In the order of the plan. */
  units: UnitId[];
  /** Those that the change has reached: the way back of each of them was kept before. */
  touched: UnitId[];
  timeout_seconds: number;
  /** When it was opened, milliseconds since the machine started; absent in the record of an earlier release. */
  opened_uptime_ms?: number;
  /** The clock may jump, and a plan may set it: what counts is the time since the machine started, in milliseconds. */
  boot_id: string;
  deadline_uptime_ms: number;
  /** The same for people, RFC 3339. */
  deadline_at: string;
  /** Since when the change is complete, milliseconds since the machine started; null while it is being made. */
  enforced_uptime_ms: number | null;
  /** The local address that the plan was submitted at; '' when unknown. */
  arrived_at: string;
  /** Local addresses at which the management UI is to be reached from now on. */
  listeners: string[];
  ended: Ended | null;
}

export const hashNonce = (nonce: string): string => createHash('sha256').update(nonce).digest('hex');

/** Time since the machine started, sleep included, and which start that was. */
export interface Uptime {
  boot_id: string;
  ms: number;
}

export function uptime(): Uptime {
  const [seconds = ''] = readFileSync('/proc/uptime', 'utf8').split(' ');
  return {
    boot_id: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    ms: Math.round(Number(seconds) * 1000),
  };
}

/** Milliseconds left; at most 0 when it is over, which a restart of the machine ends too. */
export function timeLeft(record: WindowRecord, now: Uptime = uptime()): number {
  return record.boot_id === now.boot_id ? record.deadline_uptime_ms - now.ms : 0;
}

/** The deadline counted anew from now. */
export function deadlineIn(timeout_seconds: number, now: Uptime = uptime()) {
  return {
    timeout_seconds,
    boot_id: now.boot_id,
    deadline_uptime_ms: now.ms + timeout_seconds * 1000,
    deadline_at: instant(later(systemClock.now(), timeout_seconds)),
  };
}

export function endedBy(by: string, cause: Ended['cause'], said: string[] = [], unrestored: UnitId[] = []): Ended {
  return { by, at: instant(systemClock.now()), cause, said, unrestored };
}

/** Whether the plan's change can still be confirmed or must be rolled back. */
export const isOpen = ({ state }: WindowRecord): boolean => state === 'armed' || state === 'reverting';

/** Seconds that a window can be extended to from now on; 0 when it has lasted for as long as it may. */
export function extendableBy({ opened_uptime_ms, enforced_uptime_ms }: WindowRecord, { ms } = uptime()): number {
  const opened = opened_uptime_ms ?? enforced_uptime_ms ?? ms;
  return Math.max(0, Math.min(WINDOW.most, WINDOW.in_all - Math.ceil((ms - opened) / 1000)));
}

const CAUSES: Record<RevertCause, string> = {
  timeout: 'Nobody confirmed it in time',
  cancelled: 'It was stopped',
  restart: 'The machine was restarted before it was confirmed',
  failed: 'Its apply failed',
};

/** How a window ended, in a sentence or two. */
export function howItEnded({ by, at, cause }: Pick<Ended, 'by' | 'at' | 'cause'>): string {
  if (cause === 'confirmed') return `The confirm window is over: ${by} confirmed the plan at ${at}, and it stays.`;
  return `The confirm window is over. ${CAUSES[cause]}; ${by} rolled the plan back at ${at}.`;
}
