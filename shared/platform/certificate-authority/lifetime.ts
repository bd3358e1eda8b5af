// When certificates begin and end, and when one is due. Clocks of a lab differ, and that of the appliance may have been
// wrong: each rule also holds for one that was set back.
import { later } from '../../ground/clock.ts';
import type { Validity } from './make.ts';

/** A certificate begins this much earlier than it is made: for machines whose clock is late. */
const EARLIER_SECONDS = 3600;
const DAY_SECONDS = 86_400;
/** The same of a root and of what others asked for: ESX takes no certificate that begins later than a day ago. */
export const DAY_EARLIER = DAY_SECONDS;

/**
 * `days` in all, both ends included, beginning a little before now and never before `root`, nor ending after it. One that
 * begins much earlier ends no earlier for it.
 */
export function validityFrom(
  now: Date,
  days: number,
  root: Validity | null = null,
  earlier = EARLIER_SECONDS,
): Validity {
  const not_before = notBefore(now, earlier, root);
  const end = later(notBefore(now, EARLIER_SECONDS, root), days * DAY_SECONDS - 1);
  return { not_before, not_after: root && root.not_after < end ? root.not_after : end };
}

function notBefore(now: Date, earlier: number, root: Validity | null): Date {
  const begin = wholeSecond(later(now, -earlier));
  return root && root.not_before > begin ? root.not_before : begin;
}

const wholeSecond = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000);

export type ValidityState = 'valid' | 'expired' | 'not_yet_valid';

export function validityState({ not_before, not_after }: Validity, now: Date): ValidityState {
  if (now < not_before) return 'not_yet_valid';
  return now > not_after ? 'expired' : 'valid';
}

/** Within the last third of its life: due to be made anew. */
export const isDue = ({ not_before, not_after }: Validity, now: Date): boolean =>
  not_after.getTime() - now.getTime() <= (not_after.getTime() - not_before.getTime()) / 3;
