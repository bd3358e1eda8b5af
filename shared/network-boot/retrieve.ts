// The one retrieval of a Kickstart. Everything that the attempt is bound to is compared before the single consume; whatever
// shows its capability with something else burns it.
import type { AuditEvent } from '../audit/audit.ts';
import type { Host } from '../host/host.ts';
import type { Transaction } from '../store/database.ts';
import { type EndReason, standing } from './attempt.ts';
import { type Attempt, consumeAttempt, endAttempt, findAttempt } from './attempt-store.ts';
import { isSecret, isSecretOf, secretHash } from './capability.ts';
import { type BootShell, now } from './context.ts';
import { hostValues, renderKickstart } from './kickstart-text.ts';
import { type Applied, type AppliedHost, readManifest } from './manifest.ts';
import { boundTo } from './poll.ts';
import { openKickstart, openVariables } from './sealed-state.ts';

export interface Shown {
  mac_address: string | null;
  revision: string;
  capability: string;
  /** The listener that it was shown at; null: none of the applied state. */
  origin: string | null;
  source_address: string;
}

export type Retrieved =
  /** Nothing is known of the capability, or its time is over: nothing was written. */
  | { kind: 'unknown' }
  | { kind: 'burnt'; attempt: Attempt; reason: EndReason; differs: string[] }
  | { kind: 'consumed'; attempt: Attempt; text: string };

/** Never throws for what a machine shows. */
export async function retrieveOnce(
  tx: Transaction,
  shell: BootShell,
  shown: Shown,
  applied: Applied | null,
): Promise<Retrieved> {
  if (!isSecret(shown.capability)) return { kind: 'unknown' };
  const attempt = await findAttempt(tx, 'capability', secretHash(shown.capability));
  const moment = now(shell);
  if (!attempt || !isSecretOf(shown.capability, attempt.capability_hash)) return { kind: 'unknown' };
  if (standing(attempt, moment) !== 'issued') return { kind: 'unknown' };
  const burnt = async (reason: EndReason, differs: string[] = []): Promise<Retrieved> => {
    await endAttempt(tx, attempt.id, reason, moment.at, shown.source_address);
    return { kind: 'burnt', attempt, reason, differs };
  };
  // Switched off, renumbered or damaged: whatever comes now is no misuse, since nothing could have been right.
  const listens = applied?.manifest.listeners.some(({ origin }) => origin === attempt.listener_origin);
  if (!applied || !listens) return burnt('applied-changed');
  const differs = [
    ...(shown.mac_address === attempt.mac_address ? [] : ['mac_address']),
    ...(shown.revision === attempt.kickstart_revision ? [] : ['kickstart_revision']),
    ...(shown.origin === attempt.listener_origin ? [] : ['listener']),
  ];
  if (differs.length > 0) return burnt('mismatch', differs);
  const found = boundTo(applied, attempt);
  if (!found) return burnt('applied-changed');
  const text = rendered(shell, found);
  if (text === null) return burnt('unrenderable');
  const from = shown.source_address;
  return (await consumeAttempt(tx, attempt, { now: moment, from }))
    ? { kind: 'consumed', attempt, text }
    : { kind: 'unknown' };
}

/** The host's text; null when a value is missing or can't be opened, which the apply should have noticed. */
function rendered({ keys }: BootShell, { host, kickstart }: AppliedHost): string | null {
  if (!kickstart) return null;
  try {
    const text = openKickstart(keys, kickstart.id, kickstart.revision, kickstart.text);
    return renderKickstart(text, hostValues(host, openVariables(keys, host.id, host.variables)));
  } catch {
    return null;
  }
}

/** The manifest in force; a damaged one counts as none. */
export async function appliedNow({ host }: { host: Pick<Host, 'read'> }): Promise<Applied | null> {
  return readManifest(host).catch(() => null);
}

/** Facts of an attempt for the audit log: never its code, claim or capability. */
export function attemptEvent(verb: string, attempt: Attempt, detail: Record<string, unknown> = {}): AuditEvent {
  const { id, hostname, host_id, mac_address, firmware, kickstart_revision } = attempt;
  return {
    action: `network-boot.attempt.${verb}`,
    resource_type: 'boot_attempt',
    resource_id: id,
    detail: { title: hostname, host_id, mac_address, firmware, kickstart_revision, ...detail },
  };
}
