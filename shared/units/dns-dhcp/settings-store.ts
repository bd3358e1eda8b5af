// The unit's settings as they are saved: one document, with the revision of its row.
import { type Clock, instant } from '../../operation/clock.ts';
import { type FieldError, invalid } from '../../operation/problems.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { requireRevision } from '../../store/revision.ts';
import type { SavedSettings } from './schemas.ts';
import { type DnsDhcpSettings, type DnsDhcpSettingsPatch, settingsOf } from './settings.ts';

interface SettingsRow {
  document: string | null;
  revision: number | null;
  updated_at: string | null;
  interfaces: string;
}

/** An interface, as far as the name service can listen on it. */
export interface Listenable {
  name: string;
  /** Present, switched on, and with an address of its own or by DHCP. */
  usable: boolean;
  addresses: string[];
}

// One row whether or not settings were ever saved, with the interfaces that they may name.
const READ = `SELECT saved.document, saved.revision, saved.updated_at,
    (SELECT json_group_array(json_object('name', name, 'on', enabled = 1 AND present = 1, 'method', ipv4_method,
      'ipv4', ipv4_cidr, 'ipv6', ipv6_cidr)) FROM (SELECT * FROM interface ORDER BY name)) AS interfaces
  FROM (SELECT 1) LEFT JOIN unit_settings saved ON saved.unit = 'dns-dhcp'`;

const SAVE = `INSERT INTO unit_settings (unit, document, revision, updated_at) VALUES ('dns-dhcp', ?, 1, ?)
  ON CONFLICT (unit) DO UPDATE SET document = excluded.document, revision = revision + 1,
    updated_at = excluded.updated_at`;

/** The saved settings, or the defaults at revision 0, and the interfaces to choose from. One statement. */
export async function readSettings(db: Database): Promise<{ saved: SavedSettings; interfaces: Listenable[] }> {
  const row = (await db.one<SettingsRow>(READ))!;
  const settings = settingsOf(row.document ?? undefined);
  return {
    saved: { ...settings, revision: row.revision ?? 0, updated_at: row.updated_at },
    interfaces: listenable(row.interfaces),
  };
}

function listenable(interfaces: string): Listenable[] {
  const rows = JSON.parse(interfaces) as { name: string; on: number; method: string; ipv4: string; ipv6: string }[];
  return rows.map(({ name, on, method, ipv4, ipv6 }) => {
    const addresses = [ipv4, ipv6].filter((cidr) => cidr !== '').map((cidr) => cidr.replace(/\/.*$/, ''));
    return { name, usable: on === 1 && (addresses.length > 0 || method === 'dhcp'), addresses };
  });
}

/** What is wrong with the settings on these interfaces. A service that is off may name interfaces not ready yet. */
function listenFaults(
  { enabled, listen_interfaces }: DnsDhcpSettings,
  interfaces: readonly Listenable[],
): FieldError[] {
  const known = new Map(interfaces.map((each) => [each.name, each]));
  const faults = listen_interfaces.flatMap((name, at) => {
    const pointer = `/listen_interfaces/${at}`;
    const found = known.get(name);
    if (!found) return [{ pointer, detail: 'There is no interface of this name.' }];
    if (found.usable || !enabled) return [];
    return [{ pointer, detail: `${name} is missing, switched off or without an address to listen on.` }];
  });
  if (enabled && listen_interfaces.length === 0) {
    faults.push({ pointer: '/listen_interfaces', detail: 'Choose at least one interface to listen on.' });
  }
  return faults;
}

/**
 * Changes the settings that are named. Answers them with the names of those that differ; without a difference nothing
 * is written. @throws Problem 412, 422 at `/listen_interfaces`.
 */
export async function saveSettings(
  tx: Transaction,
  { clock }: { clock: Clock },
  patch: DnsDhcpSettingsPatch,
  if_match: number | null,
): Promise<{ saved: SavedSettings; changed: string[] }> {
  const { saved, interfaces } = await readSettings(tx);
  requireRevision(if_match, saved.revision);
  const { revision, updated_at: _at, ...before } = saved;
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const after = { ...before, ...Object.fromEntries(given) } as DnsDhcpSettings;
  const faults = listenFaults(after, interfaces);
  if (faults.length > 0) throw invalid(...faults);
  const names = Object.keys(before) as (keyof DnsDhcpSettings)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (changed.length === 0) return { saved, changed };
  const now = instant(clock.now());
  await tx.run(SAVE, [JSON.stringify(after), now]);
  return { saved: { ...after, revision: revision + 1, updated_at: now }, changed };
}
