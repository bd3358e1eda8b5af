// Showing a value to a person, who types the own password again (limited like sign-ins). The audit event is committed
// before the value is answered.

import type { AuditContext } from '../../kernel/audit/audit.ts';
import { confirmPassword as confirm } from '../../kernel/operation/confirm-password.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { type EntryRef, requireReach, type UsedEntry, useEntry } from './use.ts';

type RevealServices = Pick<Services, 'store' | 'keys' | 'keyring' | 'clock'>;

/**
 * Works while an apply owns all mutations, since it changes no desired state.
 * @throws Problem 401 without a session, 422 at /password for a wrong password (which is recorded), 429 after too many;
 * else as useEntry.
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
 * Checks the password alone, for an operation that records the use in its own transaction.
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
