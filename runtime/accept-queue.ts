// Connections that the kernel has made and nobody has taken yet: when their socket closes, it resets them.
import { readFile } from 'node:fs/promises';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
/** A socket's state in these tables (include/net/tcp_states.h). */
const LISTEN = '0A';

/** How many wait at this port's sockets on all addresses, of both families; 0 where the kernel has no such table. */
export async function waitingEverywhere(port: number): Promise<number> {
  const tables = await Promise.all(TABLES.map((path) => readFile(path, 'utf8').catch(() => '')));
  return tables.reduce((sum, table) => sum + waitingIn(table, port), 0);
}

/**
 * Pure. Rows are `sl local_address rem_address st tx_queue:rx_queue …`, in hexadecimal; of a socket that listens,
 * `rx_queue` is the length of its queue (man 5 proc).
 */
export function waitingIn(table: string, port: number): number {
  const everywhere = new RegExp(`^0+:${port.toString(16).toUpperCase().padStart(4, '0')}$`);
  let waiting = 0;
  for (const row of table.split('\n')) {
    const [, local, , state, queues] = row.trim().split(/\s+/);
    if (state === LISTEN && everywhere.test(local!)) waiting += Number.parseInt(queues!.split(':')[1]!, 16);
  }
  return waiting;
}
