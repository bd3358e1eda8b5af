// Forgetting the answers that are kept for requests that are sent again.
import type { Transaction } from '../../ground/store/database.ts';

/** Of whoever asked: who may ask is another now. */
export async function forgetEveryAnswer(tx: Transaction): Promise<void> {
  await tx.run('DELETE FROM idempotency_key');
}
