// Showing a value to a person: who is signed in says the own password again, slowed like a sign-in, and the event is in the
// log before the value leaves.
import { forgetFailures, inSlot, noteFailure, refuseIfThrottled } from '../access/throttle.ts';
import { verifyUser } from '../access/user.ts';
import { type AuditContext, appendAudit } from '../audit/audit.ts';
import { invalid, Problem } from '../operation/problems.ts';
import type { Services } from '../operation/services.ts';
import { type EntryRef, requireReach, type UsedEntry, useEntry } from './use.ts';

type RevealServices = Pick<Services, 'store' | 'keys' | 'keyring' | 'clock'>;

/**
 * @throws Problem 401 without a session, 422 at /password for a wrong one (which is recorded), 429 after too many; else as
 * useEntry. It goes on while an apply owns all mutations: it changes nothing of what is applied.
 */
export async function revealEntry(
  services: RevealServices,
  who: AuditContext,
  ref: EntryRef,
  password: string,
): Promise<UsedEntry> {
  await confirmPassword(services, who, ref, password);
  return useEntry(services, who, ref, 'reveal', { holdsLock: true });
}

/**
 * Its first half, for an operation that records the use in its own transaction.
 * @throws Problem 401, 403, 422, 429
 */
export async function confirmPassword(
  { store, keys, clock }: Pick<Services, 'store' | 'keys' | 'clock'>,
  who: AuditContext,
  { entry_id }: EntryRef,
  password: string,
): Promise<void> {
  const { actor, source_address } = who;
  if (actor.kind !== 'session') throw new Problem('session_required', 'A value is shown in a signed-in session only.');
  requireReach(actor);
  const now = clock.now();
  await refuseIfThrottled(store, source_address, actor.name, now);
  const user = await inSlot(source_address, () => verifyUser(store, actor.name, password));
  if (user && user.id === actor.user_id) {
    await store.write((tx) => forgetFailures(tx, source_address, actor.name));
    return;
  }
  await store.write(async (tx) => {
    await noteFailure(tx, source_address, actor.name, now);
    const event = { action: 'vault.entry.reveal', resource_type: 'vault_entry', resource_id: entry_id };
    const detail = { refused: 'password' };
    await appendAudit(tx, keys, who, { ...event, outcome: 'failure', detail }, { holdsLock: true });
  });
  throw invalid({ pointer: '/password', detail: 'This is not your password.' });
}
