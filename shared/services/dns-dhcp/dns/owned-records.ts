// Records by owner, for the owners themselves: the rules of records are not checked here.
import type { Transaction } from '../../../ground/store/database.ts';

/** Deletes records; the caller has checked that it owns them. */
export async function deleteRecords(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.run('DELETE FROM dns_record WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)]);
}

/** SQL: key of the fact of an owner's oldest record. */
export const oldestRecordOf = (source: string): string => `SELECT 'record ' || fqdn || ' ' || type FROM dns_record
  WHERE owner_source = '${source}' AND enabled = 1 ORDER BY rowid LIMIT 1`;
