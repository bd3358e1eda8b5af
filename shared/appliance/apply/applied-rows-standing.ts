// What rows of an earlier plan are held against when they come back: hosts of network boot that keep reservations, rules
// of the firewall and settings that name what may be gone.

import { pagePath } from '../../ground/page-paths.ts';
import type { Blocker } from '../../ground/problems.ts';
import type { Database, SqlValue, Transaction } from '../../ground/store/database.ts';
import type { NetworkInterface } from '../../platform/interfaces/interface.ts';
import { usableAddresses } from '../../platform/interfaces/management-listener.ts';
import { OWNER } from '../../platform/interfaces/refresh/snapshot.ts';
import { reservationsFor } from '../../services/dns-dhcp/refresh-rows.ts';
import { BOOT_HOSTS, bootHostIds, moveHosts } from '../../services/network-boot/refresh-rows.ts';
import { SETTINGS } from '../settings.ts';
import type { KeptRow, UnitRows } from './applied-rows.ts';
import type { DocumentDifference, TableDifference } from './applied-rows-difference.ts';

/** A reservation whose host was deleted since comes back as an operator's own: nobody else would ever let go of it. */
export async function withoutLostOwners(db: Database, wanted: UnitRows): Promise<UnitRows> {
  const reservations = wanted.tables.dhcp_reservation;
  if (!reservations) return wanted;
  const { columns, rows } = reservations;
  const [source, ref, component] = ['owner_source', 'owner_ref', 'owner_component'].map(
    (column) => columns.indexOf(column) + 1,
  ) as [number, number, number];
  if (!rows.some((row) => row[source] === OWNER.host)) return wanted;
  const hosts = await bootHostIds(db);
  const freed = rows.map((row): KeptRow => {
    if (row[source] !== OWNER.host || hosts.has(String(row[ref]))) return row;
    return row.map((value, at): SqlValue => ([source, ref, component].includes(at) ? null : value));
  });
  return { ...wanted, tables: { ...wanted.tables, dhcp_reservation: { columns, rows: freed } } };
}

const KEPT_FOR_HOSTS = `SELECT host.id, host.hostname, host.ip_address, kept.ip_address AS reserved,
    kept.hostname = host.hostname AND kept.mac_address = host.mac_address AND kept.enabled = host.enabled AS agrees
  FROM (${BOOT_HOSTS}) host LEFT JOIN (${reservationsFor(OWNER.host)}) kept ON kept.owner_ref = host.id
  WHERE coalesce(kept.ip_address, '') <> host.ip_address OR agrees = 0`;
interface HostRow {
  id: string;
  hostname: string;
  ip_address: string;
  reserved: string | null;
  agrees: number | null;
}

/** Hosts take the address of their reservation, as they do when a scope moves. Answers how many did, or what blocks. */
export async function followReservations(
  tx: Transaction,
  now: string,
): Promise<{ moved: number; blockers: Blocker[] }> {
  const rows = await tx.all<HostRow>(KEPT_FOR_HOSTS);
  const blockers = rows.filter(({ reserved, agrees }) => reserved === null || agrees === 0).map(hostBlocker);
  if (blockers.length > 0 || rows.length === 0) return { moved: 0, blockers };
  const moved = rows.map(({ id, reserved }) => ({ id, ip_address: reserved! }));
  await moveHosts(tx, moved, now);
  return { moved: rows.length, blockers };
}

const hostBlocker = ({ id, hostname, ip_address, reserved }: HostRow): Blocker => ({
  subject: `ESXi host ${hostname}`,
  reason:
    reserved === null
      ? `Its reservation of ${ip_address} did not exist yet.`
      : 'Its reservation had another name, card or switch.',
  page: pagePath('boot-host', id),
  unblock: reserved === null ? 'Take the address off the host' : 'Change the host back first, or delete it',
});

/** Rules that come back and name an interface that is gone. */
export function rulesInTheAir(
  differences: readonly TableDifference[],
  interfaces: readonly NetworkInterface[],
): Blocker[] {
  const names = new Set(['', ...interfaces.map(({ name }) => name)]);
  return differences
    .filter(({ table }) => table.name === 'firewall_rule')
    .flatMap(({ table, added, changed }) => {
      const [name, on] = ['name', 'interface'].map((column) => table.columns.indexOf(column) + 1) as [number, number];
      return [...added, ...changed]
        .filter((row) => !names.has(String(row[on])))
        .map((row) => ({
          subject: `Firewall rule ${row[name]}`,
          reason: `It names ${row[on]}, which does not exist any more.`,
          page: pagePath('firewall'),
          unblock: 'Add the interface again, or bring back a plan that has it',
        }));
    });
}

/** Faults of settings that come back, as a save of them would find. */
export function faultySettings(
  differences: readonly DocumentDifference[],
  interfaces: readonly NetworkInterface[],
): Blocker[] {
  const own = new Set(interfaces.flatMap(usableAddresses));
  return differences.flatMap(({ document, text }) => {
    const definition = SETTINGS.find(({ key }) => key === document.key);
    const faults = definition?.faults?.(JSON.parse(text), own) ?? [];
    return faults.map(({ pointer, detail }) => ({
      subject: document.label,
      reason: `${pointer.slice(1)}: ${detail}`,
      page: definition!.page,
      unblock: 'Give the interface another address first',
    }));
  });
}
