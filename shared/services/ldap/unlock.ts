// Ends a lock that wrong passwords brought, in the running directory.
import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import { type AuditEvent, appendAudit } from '../../kernel/audit/audit.ts';
import type { MutationContext } from '../../kernel/operation/operation.ts';
import { changeDirectory, DirectoryFault } from './follow/socket.ts';
import { accountNow } from './status.ts';

type Asked = Pick<MutationContext<unknown, unknown, unknown>, 'services' | 'actor' | 'request'>;

/**
 * Answers false when there was no lock. Its audit row is saved before slapd is asked, so that nothing is unlocked without
 * one; that it was done is said by the row of the operation. A dry run unlocks nothing.
 * @throws Problem 409 where the directory does not run or does not have the account; 423 while an apply owns everything
 */
export async function unlockAccount({ services, actor, request }: Asked, dn: string, event: AuditEvent) {
  const { host, store, keys, clock } = services;
  // Of a rehearsal nothing runs that could have locked it.
  if (!host.enforces) return false;
  const now = await accountNow(services, dn);
  if (now === null) throw new Problem('state_conflict', `The running directory does not have ${dn}.`);
  if (now.locked_since === null || request.dry_run) return now.locked_since !== null;
  const who = { at: instant(clock.now()), actor, request_id: request.id, source_address: request.source_address };
  const begun = { ...event, detail: { ...event.detail, begun: true } };
  await store.write((tx) => appendAudit(tx, keys, who, begun));
  try {
    await changeDirectory(host, [{ dn, unlock: true }]);
  } catch (error) {
    throw error instanceof DirectoryFault ? new Problem('state_conflict', error.message) : error;
  }
  return true;
}
