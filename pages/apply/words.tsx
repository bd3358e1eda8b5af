// The words of the apply pages: what a plan's state is called, when and by whom, and which units, in one phrase.
import type { PlannedUnit, PlanState } from '../../shared/appliance/apply/plan.ts';
import type { IconName } from '../components/icons.tsx';
import { State, type StateKind } from '../components/state-word.tsx';
import { APPLY_PATH } from '../components/strip.tsx';
import { exact } from '../components/time.tsx';

export const TRAIL = [{ href: APPLY_PATH, label: 'Appliance apply' }];

const STATES: Record<PlanState, { kind: StateKind; icon?: IconName; word: string }> = {
  open: { kind: 'pending', word: 'Open for review' },
  superseded: { kind: 'off', word: 'Replaced by a newer plan' },
  submitted: { kind: 'warn', icon: 'clock', word: 'Being applied' },
  confirming: { kind: 'warn', icon: 'clock', word: 'Waits for confirmation' },
  reverted: { kind: 'bad', icon: 'revert', word: 'Rolled back' },
  applied: { kind: 'ok', word: 'Applied' },
  failed: { kind: 'bad', word: 'Failed' },
  cancelled: { kind: 'off', icon: 'skip', word: 'Stopped' },
};

export const planStateWord = (state: PlanState): string => STATES[state].word;

export function PlanStateWord({ state }: { state: PlanState }) {
  const { kind, icon, word } = STATES[state];
  return (
    <State kind={kind} {...(icon && { icon })}>
      {word}
    </State>
  );
}

/** What people call a plan: by when it was made, as the audit log does. */
export const planName = ({ created_at }: { created_at: string }): string => `plan of ${exact(created_at)}`;

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** `1 unit`, `3 units`. */
export function units(count: number): string {
  return count === 1 ? '1 unit' : `${count} units`;
}

/** `Network`, `Network and NTP`, `Network, DNS and NTP`. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** What stops answering and for how long, for the whole plan. */
export function interruptions(planned: readonly PlannedUnit[]): string {
  const felt = planned.filter(({ interruption }) => interruption !== 'none');
  if (felt.length === 0) return 'none';
  const rest = felt.length < planned.length ? '; none elsewhere' : '';
  return `${felt.map(({ label, interruption }) => `${label}: ${interruption}`).join('; ')}${rest}`;
}

/** The first characters of a digest, in groups that people can compare. */
export function shortDigest(digest: string): string {
  return digest.slice(0, 12).replaceAll(/(.{4})(?=.)/g, '$1 ');
}

export function mayApply({ scopes }: { scopes: readonly string[] }): boolean {
  return scopes.includes('write:apply');
}

export const MAY_NOT = 'Your role may look at applies, not make them';
