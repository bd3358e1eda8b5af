// Saved settings documents: one row of `unit_settings` each. Interfaces that a service listens on are checked when they
// are chosen; its addresses are always derived from them.
import * as v from 'valibot';
import { type Clock, instant } from '../../ground/clock.ts';
import { type FieldError, invalid } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../ground/store/revision.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { interfacesFrom, interfacesJson, type NetworkInterface, READING_ORDER } from '../interfaces/interface.ts';
import { usableAddresses } from '../interfaces/management-listener.ts';
import { addressesOn, carriesService, type Standing, standingIn, standings } from '../interfaces/refresh/standing.ts';
import { saveDocument } from './documents.ts';
import type { ManagementPlace, Named } from './names-at-a-port.ts';
import type { AnySettings, Listening, SavedSettings, UnitSettings } from './settings.ts';

/** An interface, as far as services can listen on it. */
export interface Listenable {
  name: string;
  /** Whether a service that is on may choose the interface. */
  usable: boolean;
  /** Its own addresses, IPv4 first; empty while one by DHCP is not known yet. */
  addresses: readonly string[];
  /** Why the interface can't be chosen: `is switched off`; null when it can. */
  obstacle: string | null;
}

export interface ReadSettings<S> {
  /** As saved, or the defaults at revision 0. */
  saved: SavedSettings<S>;
  /** All interfaces to choose from. */
  interfaces: Listenable[];
}

// biome-ignore lint/suspicious/noExplicitAny: the entries of a schema matter only to the schema.
type Definition<S> = UnitSettings<any, S>;

interface SettingsRow {
  document: string | null;
  revision: number | null;
  updated_at: string | null;
  interfaces: string;
}

// One row, even when settings were never saved, with the interfaces to choose from.
const READ = `SELECT saved.document, saved.revision, saved.updated_at,
    ${interfacesJson(READING_ORDER)} AS interfaces
  FROM (SELECT 1) LEFT JOIN unit_settings saved ON saved.unit = ?`;

/**
 * The settings of a stored document. Members that the document lacks have their defaults; unknown members are dropped.
 * Values that this release would no longer accept stay as stored, so that people can see and correct them: a stricter
 * rule must not lose settings.
 */
export function settingsOf<S>(definition: Definition<S>, document: string | object | null | undefined): S {
  if (!document) return definition.defaults;
  const stored = (typeof document === 'string' ? JSON.parse(document) : document) as Record<string, unknown>;
  const known = Object.keys(definition.schema.entries).filter((name) => stored[name] !== undefined);
  const kept = Object.fromEntries(known.map((name) => [name, stored[name]]));
  const whole = { ...definition.defaults, ...kept };
  const read = v.safeParse(definition.schema, whole);
  return (read.success ? read.output : whole) as S;
}

function savedOf<S>(definition: Definition<S>, row: SettingsRow): SavedSettings<S> {
  const listening = definition.listens !== 'no' && {
    listen_addresses: (row.document === null ? [] : storedAddresses(row.document)) as string[],
  };
  const { revision, updated_at } = row;
  return { ...settingsOf(definition, row.document), ...listening, revision: revision ?? 0, updated_at };
}

const storedAddresses = (document: string): string[] =>
  (JSON.parse(document) as { listen_addresses?: string[] }).listen_addresses ?? [];

/** The saved settings, or the defaults, and the interfaces to choose from. One statement. */
export async function readSettings<S>(db: Database, definition: Definition<S>): Promise<ReadSettings<S>> {
  const row = (await db.one<SettingsRow>(READ, [definition.key]))!;
  const interfaces = interfacesFrom(row.interfaces);
  return { saved: savedOf(definition, row), interfaces: listenable(interfaces, standings(interfaces)) };
}

/** Interfaces as choices, and why one can't be chosen. */
export function listenable(rows: readonly NetworkInterface[], all: ReadonlyMap<string, Standing>): Listenable[] {
  return rows.map((row) => {
    const obstacle = obstacleOf(row, standingIn(all, row.name));
    return { name: row.name, usable: obstacle === null, addresses: usableAddresses(row), obstacle };
  });
}

/** The first obstacle, the nearest to the wire first. */
function obstacleOf(row: NetworkInterface, standing: Standing): string | null {
  const obstacles: [string, boolean][] = [
    [standing.gone ?? '', standing.gone !== null],
    ['is switched off', !row.enabled],
    ['is a trunk: services listen on its VLANs', row.mode === 'trunk'],
    ['has the role unused', row.role === 'unused'],
    [`needs ${row.parent_interface} as an enabled trunk`, !standing.on],
    ['has no address', !carriesService(standing)],
  ];
  return obstacles.find(([, holds]) => holds)?.[0] ?? null;
}

/**
 * Faults of the chosen interfaces. An interface that was chosen before is accepted, so that an unrelated edit never
 * fails because a link vanished; switching the service on checks all of them again.
 */
function listenFaults(
  { listens }: AnySettings,
  before: Listening,
  { enabled, listen_interfaces }: Listening,
  interfaces: readonly Listenable[],
): FieldError[] {
  const settled = new Set(enabled && !before.enabled ? [] : before.listen_interfaces);
  const known = new Map(interfaces.map((each) => [each.name, each]));
  const faults = listen_interfaces.flatMap((name, at) => {
    if (settled.has(name)) return [];
    const pointer = `/listen_interfaces/${at}`;
    const found = known.get(name);
    if (!found) return [{ pointer, detail: 'There is no interface of this name.' }];
    if (found.usable || !enabled) return [];
    return [{ pointer, detail: `${name} ${found.obstacle}.` }];
  });
  if (listens === 'required' && enabled && listen_interfaces.length === 0) {
    faults.push({ pointer: '/listen_interfaces', detail: 'Choose at least one interface to listen on.' });
  }
  const chosenAnew = listen_interfaces.length > 0 && listen_interfaces.join() !== before.listen_interfaces.join();
  if (
    listens === 'required' &&
    enabled &&
    faults.length === 0 &&
    chosenAnew &&
    !listen_interfaces.some((name) => known.get(name)?.usable)
  ) {
    faults.push({
      pointer: '/listen_interfaces',
      detail: 'None of these can carry the service now; choose another too.',
    });
  }
  return faults;
}

/** For who saves settings outside of a service. */
const NOWHERE: ManagementPlace = { management_port: 0 };

/**
 * Changes the settings that were sent, and the derived addresses. Answers the settings with the names of changed
 * members; without a difference nothing is written. Two statements at most.
 * @throws Problem 412; 422 at `/listen_interfaces/<n>` and where the definition finds faults; 403 for reserved values.
 */
export async function saveSettings<S>(
  tx: Transaction,
  { clock, actor, settings = NOWHERE }: { clock: Clock; actor?: Actor; settings?: ManagementPlace },
  definition: Definition<S>,
  patch: Partial<S>,
  if_match: Precondition,
): Promise<{ saved: SavedSettings<S>; changed: string[] }> {
  const row = (await tx.one<SettingsRow>(READ, [definition.key]))!;
  const saved = savedOf(definition, row);
  requireRevision(if_match, saved.revision);
  const { revision, updated_at: _at, ...before } = saved;
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const after = { ...before, ...given } as typeof before;
  const rows = interfacesFrom(row.interfaces);
  const own = new Set(rows.flatMap(usableAddresses));
  const faults = [...bound(definition, before, after, rows), ...(definition.faults?.(after as S, own) ?? [])];
  if (faults.length > 0) throw invalid(...faults);
  const names = Object.keys(before) as (keyof typeof before & string)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (changed.length === 0) return { saved, changed };
  await definition.reserved?.(tx, after as S, before as S, actor);
  const missing = (await definition.refers?.(tx, after as S)) ?? [];
  if (definition.shares_port) {
    const { namesTaken } = await import('./names-at-a-port.ts');
    missing.push(...(await namesTaken(tx, definition.key, after as unknown as Named, settings)));
  }
  if (definition.names_management) {
    const known = new Set(definition.names_management(before as S).map(({ name }) => name));
    const added = definition.names_management(after as S).filter(({ name }) => !known.has(name));
    if (added.length > 0) {
      const { namesOfServices } = await import('./names-at-a-port.ts');
      missing.push(...(await namesOfServices(tx, added, settings, rows)));
    }
  }
  if (missing.length > 0) throw invalid(...missing);
  const now = instant(clock.now());
  await saveDocument(tx, definition.key, after, now);
  return { saved: { ...after, revision: revision + 1, updated_at: now } as SavedSettings<S>, changed };
}

/** Faults of a whole document that comes from elsewhere, and the document as it is saved: with the addresses that follow. */
export function documentAsSaved(
  definition: AnySettings,
  document: Record<string, unknown>,
  rows: NetworkInterface[],
): { faults: FieldError[]; document: Record<string, unknown> } {
  const read = v.safeParse(definition.schema, document);
  if (!read.success) {
    const faults = read.issues.map(({ path = [], message }) => ({
      pointer: `/${(path as { key: unknown }[]).map(({ key }) => String(key)).join('/')}`,
      detail: message,
    }));
    return { faults, document };
  }
  const after = { ...(read.output as Record<string, unknown>) };
  const own = new Set(rows.flatMap(usableAddresses));
  const faults = [
    ...bound(definition, { enabled: false, listen_interfaces: [] }, after, rows),
    ...(definition.faults?.(after, own) ?? []),
  ];
  return { faults, document: after };
}

/** Sets the derived addresses in `after`; answers the faults of the interfaces. */
function bound(definition: AnySettings, before: object, after: object, rows: NetworkInterface[]): FieldError[] {
  if (definition.listens === 'no') return [];
  const all = standings(rows);
  const chosen = after as Listening & { listen_addresses: string[] };
  chosen.listen_addresses = addressesOn(chosen.listen_interfaces, all);
  return listenFaults(definition, before as Listening, chosen, listenable(rows, all));
}
