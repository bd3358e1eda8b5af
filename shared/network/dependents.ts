// What follows when interfaces change: every unit whose desired state names an address or an interface of them. The call
// stands in the transaction of the edit, so that the edit and all that follows it are saved together or not at all.
import type { Transaction } from '../store/database.ts';
import type { NetworkInterface } from './interface.ts';

/** What followed an edit, as it is audited and answered. */
export interface RefreshedDependents {
  /** Ids of the units whose desired state was rewritten, in the order of an apply. */
  refreshed: string[];
}

/**
 * Brings dependent desired state from one set of interfaces to the next. No unit keeps addresses of its own yet: the
 * name service binds to interfaces by name and reads their addresses when it is rendered.
 * @throws Problem 409 `dependents_refuse` naming every blocker, when something still needs what is taken away.
 */
export async function refreshDependents(
  _transaction: Transaction,
  _before: readonly NetworkInterface[],
  _after: readonly NetworkInterface[],
): Promise<RefreshedDependents> {
  return { refreshed: [] };
}
