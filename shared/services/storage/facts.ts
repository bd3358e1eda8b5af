// Storage as facts: what a plan compares.
import { type Difference, type Facts, factsOf } from '../../platform/units/facts.ts';
import { exported, folderOf, isEverybody, type StorageDesired } from './desired.ts';
import { fsidOf } from './export-ids.ts';
import { mounted } from './render.ts';

export type StorageFacts = {
  enabled: boolean;
  /** By name. */
  /** `filesystem`: its kind and UUID where the appliance makes it; `bytes` that it fills. */
  volume: { device: string; at: string; filesystem?: string; bytes?: number };
  /** By name. `fsid`: what hosts know it by. */
  datastore: {
    at: string;
    volume: string;
    version: '3' | '4.1';
    interface: string;
    addresses: string[];
    clients: string[];
    fsid: string;
    /** GiB; left out where it has no limit. */
    size_limit?: number;
  };
};

export const storage = factsOf<StorageFacts>();

/** Of what is mounted and exported alone. */
export function facts(desired: StorageDesired): Facts {
  const { facts: found, add } = storage.list();
  add('enabled', desired.settings.enabled);
  for (const { name, device, mount_path, filesystem } of mounted(desired)) {
    const made = filesystem && { filesystem: `${filesystem.kind} ${filesystem.uuid}`, bytes: filesystem.bytes };
    add('volume', { device, at: mount_path, ...made }, name);
  }
  for (const datastore of exported(desired)) {
    const { id, name, mount_path, version, size_limit_gib = 0, interface: on, addresses, clients } = datastore;
    const limit = size_limit_gib > 0 ? { size_limit: size_limit_gib } : {};
    const where = { at: folderOf(datastore), volume: mount_path, version, interface: on };
    add('datastore', { ...where, addresses, clients, fsid: fsidOf(id), ...limit }, name);
  }
  return found;
}

type Datastore = StorageFacts['datastore'];
type Change = Difference<StorageFacts>;

/** Whether two are the same to a host that has one mounted, apart from who may. */
export const sameExport = (one: Datastore, other: Datastore): boolean =>
  one.at === other.at && one.fsid === other.fsid && one.version === other.version && one.volume === other.volume;

/** Whether another disk comes to a place where one is mounted: the server stops for it. */
export function replacesDisk(before: Facts | null, after: Facts): boolean {
  const had = new Map([...storage.all(before, 'volume')].map(([, { at, device }]) => [at, device]));
  return [...storage.all(after, 'volume')].some(([, { at, device }]) => (had.get(at) ?? device) !== device);
}

/** Whether a disk that is mounted has to begin to count, which takes another mount: the server stops for it. */
export function beginsToCount(before: Facts | null, after: Facts): boolean {
  const mounts = [...storage.all(before, 'volume')].map(([, { at }]) => at);
  const counting = (facts: Facts | null) =>
    new Set([...storage.all(facts, 'datastore')].flatMap(([, { volume, size_limit }]) => (size_limit ? [volume] : [])));
  const had = counting(before);
  return [...counting(after)].some((at) => mounts.includes(at) && !had.has(at));
}

/** Only where it answers differs. */
export function follows(difference: Difference): boolean {
  const { kind, before, after } = difference as Change;
  if (kind !== 'datastore' || !before || !after) return false;
  const [one, other] = [before as Datastore, after as Datastore];
  return (
    sameExport(one, other) &&
    String(one.clients) === String(other.clients) &&
    one.size_limit === other.size_limit &&
    (one.interface !== other.interface || String(one.addresses) !== String(other.addresses))
  );
}

/** Networks in words: `everybody over IPv4`. */
export const networkWords = (network: string): string =>
  isEverybody(network) ? `everybody over ${network.includes(':') ? 'IPv6' : 'IPv4'}` : network;
