// What was looked at before a deployment: what is as it has to be, what may get in the way, and what has to be put right.
import type { Check, CheckState } from '../../shared/vcf-helper/deployment/check.ts';
import { State, type StateKind } from '../components/state-word.tsx';

const WORDS: Record<CheckState, { kind: StateKind; word: string }> = {
  ok: { kind: 'ok', word: 'as it has to be' },
  warning: { kind: 'warn', word: 'look at this' },
  refused: { kind: 'bad', word: 'has to be put right' },
};

/** The worst first: those are what somebody reads. */
const ORDER: readonly CheckState[] = ['refused', 'warning', 'ok'];

export function Checks({ checks }: { checks: readonly Check[] }) {
  const sorted = [...checks].sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
  return (
    <ul class="checks">
      {sorted.map(({ id, title, state, said, way_out }) => (
        <li key={id} class={`check-${state}`}>
          <b>{title}</b>
          <State kind={WORDS[state].kind}>{WORDS[state].word}</State>
          <p>
            {said} {way_out !== '' && <span class="way-out">{way_out}</span>}
          </p>
        </li>
      ))}
    </ul>
  );
}
