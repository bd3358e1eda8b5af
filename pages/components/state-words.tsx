// The one table of states: the word, the sign and the sentence of each, for every unit, row, interface and service.
import type { StateId } from '../../shared/appliance/states/standing.ts';
import type { IconName } from './icons.tsx';
import { State, type StateKind } from './state-word.tsx';

interface StateWord {
  kind: StateKind;
  icon?: IconName;
  word: string;
  /** What it means, as the glossary and the titles of the words say. */
  means: string;
}

export const STATES: Readonly<Record<StateId, StateWord>> = {
  off: { kind: 'off', word: 'Off', means: 'Switched off, and nothing of it runs.' },
  saved: {
    kind: 'off',
    word: 'Saved',
    means: 'Saved, and without effect: its service is off, or nothing that is in force uses it.',
  },
  pending: {
    kind: 'pending',
    word: 'Pending',
    means:
      'Saved, not applied: the next apply changes it. Also while a plan with it waits to be confirmed, since it can still be rolled back.',
  },
  in_force: { kind: 'off', icon: 'solid', word: 'In force', means: 'Applied, and the host matches.' },
  rehearsed: {
    kind: 'off',
    icon: 'solid',
    word: 'Applied (rehearsal)',
    means: 'Applied by a rehearsal: nothing on this machine was changed.',
  },
  drifted: { kind: 'bad', word: 'Changed on the host', means: 'Somebody changed the host since it was applied.' },
  failing: { kind: 'bad', word: 'Failing', means: 'Applied, but the service does not answer as it should.' },
  not_enforced: {
    kind: 'warn',
    icon: 'info',
    word: 'Saved, not enforced',
    means: 'An apply of this release does not put it in force.',
  },
};

export function StateOf({ state }: { state: StateId }) {
  const { kind, icon, word, means } = STATES[state];
  return (
    <span title={means}>
      <State kind={kind} {...(icon && { icon })}>
        {word}
      </State>
    </span>
  );
}
