// The two ways to a remote machine: to look at its certificate, and, once that is trusted, to talk to it. Both ask the
// policy first, each time.

import type { Clock } from '../../ground/clock.ts';
import type { Keys } from '../../ground/sealing/keys.ts';
import type { Database } from '../../ground/store/database.ts';
import type { ObservedCertificate } from '../../ground/x509/certificate.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { type PinnedClient, pinnedClient } from './pinned-client.ts';
import { loadTargetPolicy, type PolicyShell } from './policy-store.ts';
import type { Target } from './target.ts';
import { type Lookup, permittedAddress, resolveTarget } from './target-policy.ts';
import { type ProbeOptions, probeTls } from './tls-probe.ts';
import { requireTrust, type TrustedTarget } from './trust.ts';

export interface ReachShell extends PolicyShell {
  store: Database;
  keys: Keys;
  clock: Clock;
}

export interface ReachOptions extends Pick<ProbeOptions, 'protocols' | 'begin'> {
  /** Default: the machine's own resolver. */
  lookup?: Lookup;
  /** Milliseconds. */
  timeout?: number;
  signal?: AbortSignal | undefined;
}

export interface Observation extends Target {
  address: string;
  certificate: ObservedCertificate;
}

/**
 * Resolves a target within the policy and looks at its certificate: slow work for an operation's `prepare`, both when
 * the fingerprint is shown and when it is confirmed.
 * @throws Problem 409 `target_refused`, `remote_…`
 */
export async function observeTarget(
  shell: ReachShell,
  { host, port }: Target,
  { lookup, timeout, signal, ...probe }: ReachOptions = {},
): Promise<Observation> {
  const target = { host, port };
  const policy = await loadTargetPolicy(shell.store, shell);
  const { address } = await resolveTarget(target, policy, lookup, timeout);
  const limits = { ...probe, now: shell.clock.now(), signal, ...(timeout !== undefined && { timeout }) };
  return { ...target, address, certificate: await probeTls(address, target, limits) };
}

/**
 * The confirmed machine of a ticket, checked against the present policy: for a step of a wizard, and for a job's input.
 * @throws Problem 409 `trust_missing`, `target_refused`
 */
export async function trustedTarget(
  shell: ReachShell,
  actor: Actor,
  ticket: string | null | undefined,
  target?: Target,
): Promise<TrustedTarget> {
  const trusted = requireTrust(shell, actor, ticket, target);
  permittedAddress(trusted, trusted.address, await loadTargetPolicy(shell.store, shell));
  return trusted;
}

/**
 * A client for a machine that was confirmed, in this step or when a job was queued. Close it.
 * @throws Problem 409 `target_refused`
 */
export async function clientFor(
  shell: ReachShell,
  trusted: TrustedTarget,
  options: { timeout?: number } = {},
): Promise<PinnedClient> {
  permittedAddress(trusted, trusted.address, await loadTargetPolicy(shell.store, shell));
  return pinnedClient({ ...trusted, ...options });
}

/**
 * A client for a machine that a confirmed one names over its pinned connection. It is dialled where the policy permits all of its
 * addresses, and spoken to where it shows the same certificate, or one that an authority this machine trusts issued for its name.
 * Close it.
 * @throws Problem 409 `target_refused`, `remote_…`
 */
export async function clientNamed(
  shell: ReachShell,
  target: Target,
  confirmed: string,
  { lookup, timeout }: ReachOptions = {},
): Promise<PinnedClient> {
  const policy = await loadTargetPolicy(shell.store, shell);
  const { address } = await resolveTarget(target, policy, lookup, timeout);
  return pinnedClient({
    ...{ ...target, address, sha256: confirmed, or_vouched: true },
    ...(timeout !== undefined && { timeout }),
  });
}
