// Records by their owners, for those who keep them: no rule of a record is looked at.
import type { Transaction } from '../../../ground/store/database.ts';

/** Records that the caller may delete: it has looked whose they are. */
export async function deleteRecords(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.run('DELETE FROM dns_record WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)]);
}

/** Key of the fact of the oldest record that an owner keeps, as a statement. */
export const oldestRecordOf = (source: string): string => `SELECT 'record ' || fqdn || ' ' || type FROM dns_record
  WHERE owner_source = '${source}' AND enabled = 1 ORDER BY rowid LIMIT 1`;
