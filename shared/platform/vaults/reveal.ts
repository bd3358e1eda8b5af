// Showing a value to a person: who is signed in says the own password again, slowed like a sign-in, and the event is in the
// log before the value leaves.

import type { AuditContext } from '../../kernel/audit/audit.ts';
import { confirmPassword as confirm } from '../../kernel/operation/confirm-password.ts';
import type { Services } from '../../kernel/operation/services.ts';
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
  services: Pick<Services, 'store' | 'keys' | 'clock'>,
  who: AuditContext,
  { entry_id }: EntryRef,
  password: string,
): Promise<void> {
  if (who.actor.kind === 'session') requireReach(who.actor);
  const event = { action: 'vault.entry.reveal', resource_type: 'vault_entry', resource_id: entry_id };
  await confirm(services, who, password, { event, pointer: '/password' });
}
