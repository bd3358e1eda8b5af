// Lookups of reservations for others: at addresses, of a machine. Each is one statement that uses an index.
import type { Database } from '../../../ground/store/database.ts';

const AT = 'SELECT ip_address, hostname FROM dhcp_reservation WHERE ip_address IN (SELECT value FROM json_each(?))';

/** Address → host name. */
export async function hostNamesAt(db: Database, addresses: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.all<{ ip_address: string; hostname: string }>(AT, [JSON.stringify(addresses)]);
  return new Map(rows.map(({ ip_address, hostname }) => [ip_address, hostname]));
}

const OF_HOST = `SELECT hostname, ip_address FROM dhcp_reservation
  WHERE (hostname = ?1 OR (hostname >= ?1 || '.' AND hostname < ?1 || '/')) AND enabled = 1`;

/** Enabled reservations of a host name, as the whole name or as its first label. */
export const reservationsOfHost = (db: Database, name: string): Promise<{ hostname: string; ip_address: string }[]> =>
  db.all<{ hostname: string; ip_address: string }>(OF_HOST, [name]);
