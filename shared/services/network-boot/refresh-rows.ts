// Rows of hosts for others: for the dependent refresh, and for restoring a plan.
import type { Database } from '../../ground/store/database.ts';
import { movesOf } from '../../platform/interfaces/refresh/row-texts.ts';
import type { BootHostRow } from '../../platform/interfaces/refresh/snapshot.ts';

/** SQL: all hosts. */
export const BOOT_HOSTS = 'SELECT id, hostname, mac_address, ip_address, enabled FROM network_boot_host';

/** Hosts that have an address. */
export async function addressedHosts(db: Database): Promise<BootHostRow[]> {
  const rows = await db.all<Omit<BootHostRow, 'enabled'> & { enabled: number }>(`${BOOT_HOSTS} WHERE ip_address <> ''`);
  return rows.map((host) => ({ ...host, enabled: host.enabled === 1 }));
}

export async function bootHostIds(db: Database): Promise<Set<string>> {
  const rows = await db.all<{ id: string }>('SELECT id FROM network_boot_host');
  return new Set(rows.map(({ id }) => id));
}

export const moveHosts = movesOf('network_boot_host', 'ip_address');
