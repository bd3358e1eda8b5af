// Networks from which a user of the account signed in before. They skip the line of strangers. A network is an IPv4
// address or an IPv6 /64. A new password forgets them all (a trigger of the schema does it).
import { instant, later } from '../../ground/clock.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';

/** Days that a network stays known after its last sign-in. */
const DAYS = 30;
/** Networks stored for one user; within a minute the least recently used ones beyond that are forgotten. */
const MOST = 16;

/** An instant may lie in the future too, so that setting the clock back does not forget every network at once. */
const bounds = (now: Date) => [instant(later(now, -DAYS * 86_400)), instant(later(now, DAYS * 86_400))] as const;

/**
 * Whether this network signed in to the account of this name. The same single statement for names that do not exist.
 */
export async function isKnown(db: Database, user_name: string, network: string, now: Date): Promise<boolean> {
  const row = await db.one(
    `SELECT 1 AS yes FROM known_network k JOIN user u ON u.id = k.user_id
     WHERE u.name = ? AND k.network = ? AND k.signed_in_at > ? AND k.signed_in_at <= ?`,
    [user_name, network, ...bounds(now)],
  );
  return row !== undefined;
}

export async function rememberNetwork(tx: Transaction, user_id: string, network: string, now: Date): Promise<void> {
  await tx.run(
    `INSERT INTO known_network (user_id, network, signed_in_at) VALUES (?, ?, ?)
     ON CONFLICT (user_id, network) DO UPDATE SET signed_in_at = excluded.signed_in_at`,
    [user_id, network, instant(now)],
  );
}

/** Called on a schedule: forgets networks that are too old or too many. */
export async function forgetOldNetworks(tx: Transaction, now: Date): Promise<void> {
  await tx.run('DELETE FROM known_network WHERE signed_in_at <= ? OR signed_in_at > ?', [...bounds(now)]);
  await tx.run(
    `DELETE FROM known_network WHERE rowid IN (SELECT known FROM (
       SELECT rowid AS known, row_number() OVER (PARTITION BY user_id ORDER BY signed_in_at DESC) AS place
       FROM known_network) WHERE place > ?)`,
    [MOST],
  );
}
