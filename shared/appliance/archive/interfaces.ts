// Interfaces of an archive as the appliance knows interfaces: what was observed of them is not in it. Pure.
import {
  MODES,
  type NetworkInterface,
  RETIRED_ROLES,
  ROLES,
  readMode,
  readRole,
} from '../../platform/interfaces/interface.ts';
import type { RowDifference } from './difference.ts';
import { unreadable } from './fault.ts';
import type { ArchiveRow, State } from './rows.ts';

const UNOBSERVED = { driver: null, speed_mbps: null, observed: null, present: true, revision: 0, updated_at: '' };

/** Null: the archive has none. @throws Problem 409 for a role or mode that no release knew */
export function interfacesOf(archived: State): NetworkInterface[] | null {
  return archived.get('interface')?.map(read) ?? null;
}

function read(row: ArchiveRow): NetworkInterface {
  const role = String(row.role).trim().toLowerCase();
  const mode = String(row.mode).trim().toLowerCase();
  if (!(ROLES as readonly string[]).includes(role) && !RETIRED_ROLES.has(role)) {
    throw unreadable(`The interface ${row.name} has a role that no release knew.`);
  }
  if (mode !== 'routed' && !(MODES as readonly string[]).includes(mode)) {
    throw unreadable(`The interface ${row.name} has a mode that no release knew.`);
  }
  return {
    ...UNOBSERVED,
    ...(row as object),
    role: readRole(role),
    mode: readMode(mode),
  } as unknown as NetworkInterface;
}

/** The interfaces of now, with what was chosen of the archive's in their places. */
export function interfacesWith(saved: readonly NetworkInterface[], rows: readonly RowDifference[]): NetworkInterface[] {
  const removed = new Set(rows.filter(({ kind }) => kind === 'removed').map(({ id }) => id));
  const coming = new Map(rows.flatMap(({ wanted }) => (wanted ? [[wanted.id, read(wanted)]] : [])));
  // An adapter that is here stays, whatever the archive knows of it.
  const kept = saved.filter(({ id, kind }) => kind === 'physical' || !removed.has(id));
  const known = new Set(saved.map(({ id }) => id));
  return [
    ...kept.map((row) => {
      const wanted = coming.get(row.id);
      if (!wanted) return row;
      const { driver, speed_mbps, observed, present, revision, updated_at, mac_address } = row;
      return { ...wanted, driver, speed_mbps, observed, present, revision, updated_at, mac_address };
    }),
    ...[...coming.values()].filter(({ id }) => !known.has(id)),
  ];
}
