// From a world in which something goes wrong to a small one in which it still does, so that a person can read it.
import type { Row } from '../../shared/ground/store/database.ts';
import { TABLES, type Table, type World } from './worlds.ts';

/** Leaves out one row after the other, as long as `fails` still says so. */
export async function smallest(world: World, fails: (world: World) => Promise<boolean>): Promise<World> {
  let least = world;
  for (let smaller = true; smaller; ) {
    smaller = false;
    for (const table of TABLES.toReversed()) {
      for (const row of [...least[table]]) {
        const without = leaveOut(least, table, row);
        if (!without || !(await fails(without).catch(() => false))) continue;
        least = without;
        smaller = true;
      }
    }
  }
  return least;
}

/** Null when something else needs the row. */
function leaveOut(world: World, table: Table, row: Row): World | null {
  const rest: World = { ...world, [table]: world[table].filter((other) => other !== row) };
  if (table === 'interface') return JSON.stringify(rest).includes(`"${row.name}"`) ? null : rest;
  if (table === 'dns_zone') return rest.dns_record.some(({ zone_id }) => zone_id === row.id) ? null : rest;
  if (table === 'storage_volume') return rest.storage_datastore.length > 0 ? null : rest;
  if (table === 'dhcp_reservation') rest.dns_record = rest.dns_record.filter(({ owner_ref }) => owner_ref !== row.id);
  if (table === 'network_boot_host') {
    return rest.dhcp_reservation.some(({ owner_ref }) => owner_ref === row.id) ? null : rest;
  }
  return rest;
}
