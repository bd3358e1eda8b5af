// The one retrieval of a Kickstart. Everything that the attempt is bound to is compared before it is consumed. A
// request with its capability and anything else that differs ends the attempt.

import type { Host } from '../../../ground/machine/host.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import type { AuditEvent } from '../../../kernel/audit/audit.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { hostValues, renderKickstart } from '../kickstart-text.ts';
import {
  type Applied,
  type AppliedHost,
  type ManifestHost,
  type ManifestKickstart,
  readManifest,
} from '../manifest.ts';
import { openedOrNull, openKickstart, openVariables } from '../sealed-state.ts';
import { notHandedOut, openVaultValues } from '../vault-values.ts';
import { type EndReason, standing } from './attempt.ts';
import { type Attempt, consumeAttempt, endAttempt, findAttempt } from './attempt-store.ts';
import { isSecret, isSecretOf, secretHash } from './capability.ts';
import { type BootShell, now } from './context.ts';
import { boundTo, listensFor } from './poll.ts';

export interface Shown {
  mac_address: string | null;
  revision: string;
  capability: string;
  /** Origin of the listener that got the request; null: none of the applied state. */
  origin: string | null;
  source_address: string;
}

export type Retrieved =
  /** The capability is unknown or expired; nothing was written. */
  | { kind: 'unknown' }
  | { kind: 'burnt'; attempt: Attempt; reason: EndReason; detail: Record<string, unknown>; uses: AuditEvent[] }
  /** `uses`: events of vault values, to be recorded in the same transaction. */
  | { kind: 'consumed'; attempt: Attempt; text: string; uses: AuditEvent[] };

type RetrieveShell = BootShell & Pick<Services, 'keyring'>;

/** Never throws for anything that a machine sends. */
export async function retrieveOnce(
  tx: Transaction,
  shell: RetrieveShell,
  shown: Shown,
  applied: Applied | null,
): Promise<Retrieved> {
  if (!isSecret(shown.capability)) return { kind: 'unknown' };
  const attempt = await findAttempt(tx, 'capability', secretHash(shown.capability));
  const moment = now(shell);
  if (!attempt || !isSecretOf(shown.capability, attempt.capability_hash)) return { kind: 'unknown' };
  if (standing(attempt, moment) !== 'issued') return { kind: 'unknown' };
  const burnt = async (reason: EndReason, detail = {}, uses: AuditEvent[] = []): Promise<Retrieved> => {
    await endAttempt(tx, attempt.id, reason, moment.at, shown.source_address);
    return { kind: 'burnt', attempt, reason, detail, uses: notHandedOut(uses) };
  };
  // The listener was switched off, moved or damaged: no request can be right now, so this one is no misuse.
  if (!applied || !listensFor(applied, attempt)) return burnt('applied-changed');
  const differs = [
    ...(shown.mac_address === attempt.mac_address ? [] : ['mac_address']),
    ...(shown.revision === attempt.kickstart_revision ? [] : ['kickstart_revision']),
    ...(shown.origin === attempt.listener_origin ? [] : ['listener']),
  ];
  if (differs.length > 0) return burnt('mismatch', { differs });
  const found = boundTo(applied, attempt);
  if (!found) return burnt('applied-changed');
  const made = await rendered(tx, shell, found, attempt);
  if ('reason' in made) return burnt(made.reason, made.detail, made.uses);
  const { text, uses } = made;
  const from = shown.source_address;
  return (await consumeAttempt(tx, attempt, { now: moment, from }))
    ? { kind: 'consumed', attempt, text, uses }
    : { kind: 'unknown' };
}

type Rendered =
  | { text: string; uses: AuditEvent[] }
  | { reason: 'unrenderable' | 'vault-value'; detail?: Record<string, unknown>; uses?: AuditEvent[] };

/** The host's text; or the reason when a value is missing or can't be opened. */
async function rendered(
  tx: Transaction,
  shell: RetrieveShell,
  { host, kickstart }: AppliedHost,
  attempt: Attempt,
): Promise<Rendered> {
  const own = kickstart && opened(shell, host, kickstart);
  if (!own) return { reason: 'unrenderable' };
  const { values: vault_values, uses, lacking } = await openVaultValues(tx, shell, own.text, attempt);
  if (lacking !== null) return { reason: 'vault-value', detail: { vault_value: lacking }, uses };
  try {
    return { text: renderKickstart(own.text, { ...own.values, vault_values }), uses };
  } catch {
    return { reason: 'unrenderable', uses };
  }
}

/** The applied secrets, opened; null when that fails. */
function opened({ keys }: BootShell, host: ManifestHost, { id, revision, text }: ManifestKickstart) {
  return openedOrNull(() => ({
    text: openKickstart(keys, id, revision, text),
    values: hostValues(host, openVariables(keys, host.id, host.variables)),
  }));
}

/** The manifest in force; null when it is damaged. */
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
