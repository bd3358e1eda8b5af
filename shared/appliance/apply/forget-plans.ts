// Forgetting every plan, on an appliance that becomes new again.
import type { Transaction } from '../../ground/store/database.ts';

/** What is in force stays so; its files go when the next prune finds no plan for them. */
export async function forgetPlans(transaction: Transaction): Promise<void> {
  await transaction.run('DELETE FROM plan');
}
