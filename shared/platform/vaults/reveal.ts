// Showing a value to a person, who types the own password again (limited like sign-ins). The audit event is committed
// before the value is answered.

import type { AuditContext } from '../../kernel/audit/audit.ts';
import { confirmPassword as confirm } from '../../kernel/operation/confirm-password.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { type EntryRef, requireReach } from './use.ts';

/**
 * Before the operation, which records the use in its own transaction.
 * @throws Problem 401 without a session, 403, 422 at /password for a wrong one (which is recorded), 429 after too many
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
