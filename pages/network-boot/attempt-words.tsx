// Boot attempts in words: what each waits for, and why it ended.
import { END_REASONS, type EndReason } from '../../shared/services/network-boot/boot/attempt.ts';
import type { AttemptView } from '../../shared/services/network-boot/boot/schemas.ts';
import type { EndedAttempt, WaitingAttempt } from '../../shared/services/network-boot/boot/waiting.ts';
import type { IconName } from '../components/icons.tsx';
import { State, type StateKind } from '../components/state-word.tsx';

export const FIRMWARE_WORDS: Record<AttemptView['firmware'], string> = { efi: 'UEFI', pcbios: 'BIOS' };

/** Seconds before the end that are few. */
const SOON = 120;

export function OpenState({ attempt }: { attempt: WaitingAttempt }) {
  const { state, drift, seconds_left, wrong_codes } = attempt;
  if (drift.length > 0) return <State kind="bad">Can’t be authorized: saved and applied differ</State>;
  const soon = seconds_left < SOON ? 'ends soon' : '';
  if (state === 'issued') {
    return <State kind="ok">{['Authorized, waits for the retrieval', soon].filter(Boolean).join(', ')}</State>;
  }
  const wrong = wrong_codes === 0 ? '' : `${wrong_codes} wrong ${wrong_codes === 1 ? 'code' : 'codes'}`;
  const words = ['Waits for its code', wrong, soon].filter(Boolean).join(', ');
  return wrong || soon ? (
    <State kind="warn">{words}</State>
  ) : (
    <State kind="pending" icon="clock">
      {words}
    </State>
  );
}

const ENDED: Record<'consumed' | 'expired' | 'burnt', { kind: StateKind; icon?: IconName }> = {
  consumed: { kind: 'ok' },
  expired: { kind: 'off', icon: 'clock' },
  burnt: { kind: 'bad' },
};

export function EndedState({ state }: { state: AttemptView['state'] }) {
  if (state === 'pending' || state === 'issued') return null;
  const { kind, icon } = ENDED[state];
  return (
    <State kind={kind} {...(icon && { icon })}>
      {state}
    </State>
  );
}

const REASONS: Record<EndReason, string> = {
  retrieved: 'Kickstart handed out once; the next network boot goes to the local disk',
  'time-over': 'Ten minutes without a retrieval',
  superseded: 'The host chose again; the later attempt took its place',
  'wrong-codes': 'Five wrong codes',
  mismatch: 'Its authorization was shown with another MAC address, revision or listener',
  'applied-changed': 'Network boot was applied with other settings of the host',
  unrenderable: 'The Kickstart could not be made for this host',
  'vault-value': 'Nothing was handed out: a value of a vault is missing, can’t be opened or does not fit into a line',
  revoked: 'Revoked by an operator',
};

export function reasonWords({ ended_reason, authorized_at, superseded_from }: EndedAttempt): string {
  if (superseded_from !== null)
    return `A later choice took its place; it came from ${superseded_from}, another address`;
  if (ended_reason === 'time-over' && authorized_at === null) return 'Ten minutes without the right code';
  return ended_reason === null || !(ended_reason in END_REASONS) ? '' : REASONS[ended_reason];
}
