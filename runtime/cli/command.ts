// What a command is, and how all of them read their arguments and act on the appliance.
import { userInfo } from 'node:os';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { instant, newId } from '../../shared/ground/clock.ts';
import type { Transaction } from '../../shared/ground/store/database.ts';
import { systemActor } from '../../shared/kernel/access/actor.ts';
import { commandOwner, releaseDead } from '../../shared/kernel/access/held-locks.ts';
import { releaseLocks, takeLock } from '../../shared/kernel/access/mutation-lock.ts';
import { type AuditContext, type AuditEvent, appendAudit } from '../../shared/kernel/audit/audit.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';

/** The words could not be understood. */
export class Usage extends Error {}

/** Understood, but it can't be done; the message is all that a person needs. */
export class Refusal extends Error {}

export interface Command {
  /** @throws Usage */
  parse(words: string[]): (services: Services) => Promise<number>;
  /** Whether it may make the data folder, as a first start of the service does. */
  begins?(words: readonly string[]): boolean;
}

/** One that works on the data folder itself, also where no service could open the database. */
export interface FolderCommand {
  /** @throws Usage */
  parse(words: string[]): (data: string) => Promise<number>;
}

/** `parseArgs`, strict, with its refusals in our own class. */
export function readArguments<T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs({ ...config, strict: true as const });
  } catch (error) {
    throw new Usage((error as Error).message);
  }
}

/** `cli (root)`: the user who runs the command on the appliance. */
function operator(): string {
  try {
    return `cli (${userInfo().username})`;
  } catch {
    return `cli (uid ${process.getuid?.() ?? 'unknown'})`; // a user without an entry in the password file
  }
}

/** Runs a change and its audit event in one transaction, as an operation does. */
export async function change<T>(
  services: Services,
  work: (transaction: Transaction) => Promise<{ result: T; event: AuditEvent }>,
  options: { holdsLock?: boolean } = {},
): Promise<T> {
  return services.store.write(async (transaction) => {
    const { result, event } = await work(transaction);
    await appendAudit(transaction, services.keys, auditContext(services), event, options);
    return result;
  });
}

/**
 * Owns everything while `work` runs, as a restore over the API does: what others would change meanwhile is refused with 423.
 * Of a command that was killed the service releases it within seconds, and the next command at once.
 * @throws Problem 423 while somebody else does
 */
export async function owningAll<T>({ store, clock }: Services, work: () => Promise<T>): Promise<T> {
  const owner = commandOwner(process.pid);
  await store.write(async (tx) => {
    await releaseDead(tx);
    await takeLock(tx, 'all', owner, instant(clock.now()));
  });
  try {
    return await work();
  } finally {
    await store.write((tx) => releaseLocks(tx, owner));
  }
}

/** Who acts, for work that records its events itself. */
export function auditContext({ clock, entropy }: Pick<Services, 'clock' | 'entropy'>): AuditContext {
  return {
    at: instant(clock.now()),
    actor: systemActor(operator()),
    request_id: newId('cli', entropy),
    source_address: '',
  };
}
