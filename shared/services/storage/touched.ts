// What of storage a change is about: of two hundred datastores one differs, and only that is made, mounted and asked anew.
import type { UnitChange } from '../../platform/units/unit.ts';
import { actionFor } from './cheapest.ts';
import type { DesiredDatastore } from './desired.ts';
import { storage } from './facts.ts';
import { MOUNT_FOLDER, mountFile } from './files.ts';

/** Whether all is put in force once more, though nothing saved differs: somebody asked for that, so that all is looked at. */
export const isWhole = ({ before, written, removed }: UnitChange): boolean =>
  before === null || written.length + removed.length === 0;

/** Names whose facts come, go or become others. */
const differing = ({ before, after }: UnitChange, wanted: 'volume' | 'datastore'): Set<string> =>
  new Set(storage.differences(before, after).flatMap(({ kind, name }) => (kind === wanted ? name : [])));

/** Pure: mount paths of volumes that the change is about; null: of all. */
export function touchedMounts(change: UnitChange): ReadonlySet<string> | null {
  if (isWhole(change)) return null;
  const names = differing(change, 'volume');
  const found = [change.before, change.after].flatMap((facts) => [...storage.all(facts, 'volume')]);
  const about = ([name, { at }]: (typeof found)[number]) => names.has(name) || change.written.includes(mountFile(at));
  return new Set(found.filter(about).map(([, { at }]) => at));
}

/** Whether systemd has to read its units anew: a mount of ours came, went or became another one. */
export const touchesMounts = (change: UnitChange): boolean =>
  isWhole(change) || [...change.written, ...change.removed].some((path) => path.startsWith(`${MOUNT_FOLDER}/`));

/**
 * Pure: those that the change is about; and of all others one of each version and address, since a server that can't read a line
 * drops every export.
 */
export function touchedDatastores(all: readonly DesiredDatastore[], change: UnitChange): DesiredDatastore[] {
  const mounts = touchedMounts(change);
  if (mounts === null || actionFor(true, true, change) === 'restart') return [...all];
  const names = differing(change, 'datastore');
  return withWitnesses(all, ({ name, mount_path }) => names.has(name) || mounts.has(mount_path));
}

/** Pure: the chosen ones, and one of each version and address that none of them has. In their order. */
export function withWitnesses(
  all: readonly DesiredDatastore[],
  chosen: (datastore: DesiredDatastore) => boolean,
): DesiredDatastore[] {
  const asked = new Set(all.filter(chosen));
  const seen = new Set<string>();
  for (const datastore of all) {
    const ways = datastore.addresses.map((address) => `${datastore.version} ${address}`);
    if (asked.has(datastore) || ways.every((way) => seen.has(way))) continue;
    asked.add(datastore);
    for (const way of ways) seen.add(way);
  }
  return all.filter((datastore) => asked.has(datastore));
}
