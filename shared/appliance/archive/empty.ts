// The state of an appliance of which nothing was saved: what a new one has, and what a factory reset saves. Pure.

import { type NetworkInterface, NO_ROLE } from '../../platform/interfaces/interface.ts';
import { exposesManagement } from '../../platform/interfaces/management-listener.ts';
import type { ArchiveRow, State } from './rows.ts';
import { TABLES } from './tables.ts';

/** Tables that have rows on a new appliance too. */
export const INHABITED: ReadonlySet<string> = new Set(['interface', 'certificate_profile', 'unit_settings']);

/**
 * Nothing, but for what nobody can do without: the interfaces over which the management UI is reached stay as they are, with
 * the trunks below them, so that it stays reachable. Other adapters are as they were found, other VLANs are gone.
 */
export function emptyState(now: State): State {
  const interfaces = now.get('interface') ?? [];
  const profiles = now.get('certificate_profile') ?? [];
  return new Map<string, readonly ArchiveRow[]>([
    ...TABLES.map(({ name }) => [name, []] as const),
    ['interface', bareInterfaces(interfaces)],
    ['certificate_profile', profiles.map((row) => ({ ...row, allowed_names: [], validity_days: null }))],
  ]);
}

function bareInterfaces(rows: readonly ArchiveRow[]): ArchiveRow[] {
  const reached = rows.filter((row) => exposesManagement(row as unknown as NetworkInterface));
  const stay = new Set(reached.flatMap(({ name, parent_interface }) => [name, parent_interface]));
  return rows.flatMap((row): ArchiveRow[] => {
    if (stay.has(row.name!)) return [row];
    if (row.kind !== 'physical') return [];
    return [{ ...row, ...NO_ROLE, mode: 'access', access_management_ui_enabled: false }];
  });
}
