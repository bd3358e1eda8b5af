// How full volumes and datastores in force are. A datastore with a size limit has a size of its own: statfs(2) of its folder
// answers the limit. Others have what their volume has.
import { readFile, statfs } from 'node:fs/promises';
import type { Host } from '../../ground/machine/host.ts';
import { type Family, gauge } from '../../ground/metrics/exposition.ts';
import type { Facts } from '../../platform/units/facts.ts';
import { SEEN, type Seen } from './disks.ts';
import { type StorageFacts, storage } from './facts.ts';
import { serverOf } from './files.ts';
import { fileSystemsIn } from './limits.ts';

export interface Usage {
  name: string;
  /** Bytes; null: its disk is away, or it can't be looked at. */
  size_bytes: number | null;
  /** Bytes that can still be written. */
  free_bytes: number | null;
}

export interface DatastoreUsage extends Usage {
  volume: string;
  /** Whether it has a size of its own. */
  limited: boolean;
}

export interface VolumeUsage extends Usage {
  /** Null: this host has no disks of its own to mount. */
  mounted: boolean | null;
}

export interface StorageUsage {
  volumes: VolumeUsage[];
  datastores: DatastoreUsage[];
}

/** Milliseconds that a disk may take. */
const PATIENCE_MS = 3_000;
const UNKNOWN = { size_bytes: null, free_bytes: null };
type Sizes = Omit<Usage, 'name'>;

async function sizesOf(path: string): Promise<Sizes> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), PATIENCE_MS);
  const disk = await Promise.race([statfs(path).catch(() => null), late]).finally(() => clearTimeout(timer));
  return disk === null ? UNKNOWN : { size_bytes: disk.blocks * disk.bsize, free_bytes: disk.bavail * disk.bsize };
}

/** `inForce`: null, nothing was applied. A place where no disk is mounted is one of the appliance's own disk. */
export async function storageUsage(host: Host, inForce: Facts | null, seen: Seen = SEEN): Promise<StorageUsage> {
  if (!host.enforces) return { volumes: [], datastores: [] };
  const disks = serverOf(host.kind) === 'kernel';
  const mounts = disks ? fileSystemsIn(await readFile(seen.mounts, 'utf8').catch(() => '')) : null;
  const volumes = [...storage.all(inForce, 'volume')];
  const names = new Map(volumes.map(([name, { at }]) => [at, name]));
  const look = async (mount: string, path: string): Promise<Sizes> =>
    mounts !== null && !mounts.has(mount) ? UNKNOWN : sizesOf(host.resolve(path));
  return {
    volumes: await Promise.all(
      volumes.map(async ([name, { at }]) => ({
        name,
        ...(await look(at, at)),
        mounted: mounts ? mounts.has(at) : null,
      })),
    ),
    datastores: await Promise.all(
      [...storage.all(inForce, 'datastore')].map(async ([name, datastore]) => ({
        name,
        ...(await ofDatastore(datastore, look)),
        volume: names.get(datastore.volume) ?? '',
        limited: (datastore.size_limit ?? 0) > 0,
      })),
    ),
  };
}

/** Whoever is root on a client may close the folder to everybody else. */
const ofDatastore = (
  { volume, at, size_limit }: StorageFacts['datastore'],
  look: (mount: string, path: string) => Promise<Sizes>,
): Promise<Sizes> => look(volume, size_limit ? at : volume);

/** Labels are names that an operator gave. */
export async function storageMetrics(host: Host, inForce: Facts | null, seen: Seen = SEEN): Promise<Family[]> {
  const { volumes, datastores } = await storageUsage(host, inForce, seen);
  if (volumes.length === 0) return [];
  const samples = <U extends Usage>(
    all: readonly U[],
    member: 'size_bytes' | 'free_bytes',
    labels: (usage: U) => Record<string, string>,
  ) => all.flatMap((each) => (each[member] === null ? [] : [{ labels: labels(each), value: each[member] }]));
  const ofVolume = ({ name }: Usage) => ({ volume: name });
  const ofOne = ({ name, volume, limited }: DatastoreUsage) => ({
    datastore: name,
    volume,
    limited: limited ? 'yes' : 'no',
  });
  const standing = volumes.flatMap((each) =>
    each.mounted === null ? [] : [{ labels: ofVolume(each), value: Number(each.mounted) }],
  );
  return [
    gauge(
      'groundcrew_volume_mounted',
      'Whether the disk of a storage volume is mounted at its place: 1 or 0.',
      standing,
    ),
    gauge('groundcrew_volume_size_bytes', 'Size of a storage volume.', samples(volumes, 'size_bytes', ofVolume)),
    gauge('groundcrew_volume_free_bytes', 'Bytes of it that are free.', samples(volumes, 'free_bytes', ofVolume)),
    gauge(
      'groundcrew_datastore_size_bytes',
      'Capacity of a datastore as hosts see it: its size limit, or its volume.',
      samples(datastores, 'size_bytes', ofOne),
    ),
    gauge(
      'groundcrew_datastore_free_bytes',
      'Bytes of it that can still be written.',
      samples(datastores, 'free_bytes', ofOne),
    ),
  ];
}
