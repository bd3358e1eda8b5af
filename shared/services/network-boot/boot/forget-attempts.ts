// Forgetting every boot attempt, on an appliance that becomes new again.
import type { Transaction } from '../../../ground/store/database.ts';

/** Open ones as well: what they could fetch is gone. */
export async function forgetEveryAttempt(tx: Transaction): Promise<void> {
  await tx.run('DELETE FROM boot_attempt');
}
