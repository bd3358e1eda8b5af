// When certificates begin and end, and when one is due for renewal. Clocks of a lab differ, and the appliance's may
// have been wrong: each rule also holds after the clock was set back.
import { later } from '../../ground/clock.ts';
import type { Validity } from './make.ts';

/** A certificate is valid from so much before it is made, for machines whose clock is late. */
const EARLIER_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** `days` in all, both ends included, beginning a little before now and never before `root`, nor ending after it. */
export function validityFrom(now: Date, days: number, root: Validity | null = null): Validity {
  const begin = wholeSecond(later(now, -EARLIER_SECONDS));
  const not_before = root && root.not_before > begin ? root.not_before : begin;
  const end = later(not_before, days * DAY_SECONDS - 1);
  return { not_before, not_after: root && root.not_after < end ? root.not_after : end };
}

const wholeSecond = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000);

export type ValidityState = 'valid' | 'expired' | 'not_yet_valid';

export function validityState({ not_before, not_after }: Validity, now: Date): ValidityState {
  if (now < not_before) return 'not_yet_valid';
  return now > not_after ? 'expired' : 'valid';
}

/** Within the last third of its life: due for renewal. */
export const isDue = ({ not_before, not_after }: Validity, now: Date): boolean =>
  not_after.getTime() - now.getTime() <= (not_after.getTime() - not_before.getTime()) / 3;
