// Who may sign in on an appliance that is new, or becomes new again.
import type { Database, Transaction } from '../../ground/store/database.ts';
import { forgetExternal } from './external/provider.ts';
import { forgetSecondFactors } from './second-factor/forget.ts';

/** Whether more than one account is there. */
export const severalUsers = async (database: Database): Promise<boolean> =>
  (await database.all('SELECT 1 AS yes FROM user LIMIT 2')).length > 1;

/** Removes all users but one, or all, with their sessions and tokens; those of the one who stays end as well, and so do the second factors. */
export async function keepOnly(transaction: Transaction, id: string | null): Promise<number> {
  const removed = await transaction.run('DELETE FROM user WHERE id IS NOT ?', [id]);
  await transaction.run('DELETE FROM session');
  await transaction.run('DELETE FROM api_token');
  await transaction.run('DELETE FROM known_network');
  await forgetSecondFactors(transaction);
  await forgetExternal(transaction);
  return removed;
}

/** Sign-ins that failed. */
export async function forgetFailed(tx: Transaction): Promise<void> {
  await tx.run('DELETE FROM sign_in_throttle');
}
