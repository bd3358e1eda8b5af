// To whom the material of each key was given: one row for each key and client certificate, whatever number of times.
import { notFound } from '../../../ground/problems.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';

/** Certificates of one key that are kept: those that got it last. A provider has at most 100 at a time. */
export const RECEIVERS_MOST = 200;

export interface Receiver {
  client: string;
  sha256: string;
  /** RFC 3339 in UTC. */
  first_at: string;
  first_from: string;
  last_at: string;
  last_from: string;
  times: number;
}

/** The last one first. @throws Problem 404 */
export async function findReceivers(db: Database, key_id: string): Promise<Receiver[]> {
  const found = await db.all<Receiver>(
    `SELECT client, sha256, first_at, first_from, last_at, last_from, times FROM kms_receiver
      WHERE key_id = ? ORDER BY last_at DESC, sha256`,
    [key_id],
  );
  if (found.length === 0 && !(await db.one('SELECT 1 AS yes FROM kms_key WHERE id = ?', [key_id])))
    throw notFound('This key');
  return found;
}

/** One of a key to a client certificate, or several. */
export type Given = Receiver & { key_id: string };

/** With the key's own last giving. */
export async function recordGiven(tx: Transaction, { key_id, ...given }: Given): Promise<void> {
  await addReceiver(tx, key_id, given);
  const last = [given.last_at, given.last_from, key_id];
  await tx.run('UPDATE kms_key SET last_get_at = ?, last_get_from = ? WHERE id = ?', last);
}

/** Adds givings to what is kept. */
export async function addReceiver(tx: Transaction, key_id: string, given: Receiver): Promise<void> {
  const { client, sha256, first_at, first_from, last_at, last_from, times } = given;
  await tx.run(
    `INSERT INTO kms_receiver (key_id, sha256, client, first_at, first_from, last_at, last_from, times)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (key_id, sha256) DO UPDATE SET client = excluded.client, last_at = excluded.last_at,
        last_from = excluded.last_from, times = times + excluded.times`,
    [key_id, sha256, client, first_at, first_from, last_at, last_from, times],
  );
  await tx.run(
    `DELETE FROM kms_receiver WHERE key_id = ?1 AND sha256 IN (SELECT sha256 FROM kms_receiver
      WHERE key_id = ?1 ORDER BY last_at DESC, sha256 LIMIT -1 OFFSET ${RECEIVERS_MOST})`,
    [key_id],
  );
}

/** Of a provider's keys, before these go. */
export const forgetReceivers = async (tx: Transaction, provider_id: string): Promise<void> => {
  await tx.run('DELETE FROM kms_receiver WHERE key_id IN (SELECT id FROM kms_key WHERE provider_id = ?)', [
    provider_id,
  ]);
};
