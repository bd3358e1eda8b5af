// Size limits of datastores: quota of XFS by project, which binds root too, as whom ESX writes. ext4 lets root write on, so
// that a limit there would only be shown. xfs(5), xfs_quota(8).
import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../../ground/machine/host.ts';
import type { UnitChange } from '../../platform/units/unit.ts';
import { type DesiredDatastore, type DesiredVolume, limited, type StorageDesired } from './desired.ts';
import { numbersOf, type Seen } from './disks.ts';
import { LIMITS_FILE, serverOf } from './files.ts';
import { countingVolumes, mounted } from './render.ts';
import { isWhole } from './touched.ts';

const GIB = 1_073_741_824n;

export const bytesOf = ({ size_limit_gib = 0 }: Pick<DesiredDatastore, 'size_limit_gib'>): bigint =>
  BigInt(size_limit_gib) * GIB;

interface FileSystem {
  kind: string;
  /** Whether it counts what each project has, and enforces limits of that. */
  counts: boolean;
}

/** Pure: rows of mountinfo(5) by mount path, of which the last is on top. The paths of volumes have no escapes. */
export const fileSystemsIn = (mountinfo: string): Map<string, FileSystem> =>
  new Map(
    mountinfo.split('\n').flatMap((row): [string, FileSystem][] => {
      const [left = '', right = ''] = row.split(' - ');
      const at = left.split(' ')[4];
      const [kind = '', , options = ''] = right.split(' ');
      return at ? [[at, { kind, counts: options.split(',').includes('prjquota') }]] : [];
    }),
  );

const fileSystems = async ({ mounts }: Seen): Promise<Map<string, FileSystem>> =>
  fileSystemsIn(await readFile(mounts, 'utf8').catch(() => ''));

/** What the disk carries as udev found it, such as `xfs`; null: it is away, or carries nothing that udev knows. */
export async function carriedBy(device: string, seen: Seen): Promise<string | null> {
  for (const number of await numbersOf(device, seen)) {
    const told = await readFile(join(seen.udev, `b${number}`), 'utf8').catch(() => '');
    const kind = /^E:ID_FS_TYPE=(\S+)$/m.exec(told)?.[1];
    if (kind !== undefined) return kind;
  }
  return null;
}

/** Datastores whose limit nobody would enforce, a sentence each. */
export async function limitFaults(desired: StorageDesired, seen: Seen): Promise<string[]> {
  const faults: string[] = [];
  const all = limited(desired);
  for (const { name: volume, device, mount_path, filesystem } of mounted(desired)) {
    const on = all.filter((each) => each.mount_path === mount_path);
    // What it is going to be formatted with counts as what it carries.
    const kind = on.length > 0 ? (filesystem?.kind ?? (await carriedBy(device, seen))) : null;
    if (kind === null || kind === 'xfs') continue;
    for (const { name } of on) {
      faults.push(
        `The datastore ${name} has a size limit, but its volume ${volume} carries ${kind}: only XFS enforces limits against root, as whom ESX writes. Take the limit away, or use a volume with XFS.`,
      );
    }
  }
  return faults;
}

/** Mounted without counting, though a datastore on it has a limit: XFS begins to count with a mount alone. */
export async function uncountedVolumes(desired: StorageDesired, seen: Seen): Promise<DesiredVolume[]> {
  const counting = countingVolumes(desired);
  if (counting.size === 0) return [];
  const found = await fileSystems(seen);
  return mounted(desired).filter(({ mount_path }) => {
    const there = found.get(mount_path);
    return counting.has(mount_path) && there?.kind === 'xfs' && !there.counts;
  });
}

/**
 * Whether limits have to be put in force, or taken away. A disk that is mounted again has its limits, but its folder may be new.
 * `fresh`: mount paths of what was mounted just now.
 */
export function setsLimits(desired: StorageDesired, change: UnitChange, fresh: readonly string[] = []): boolean {
  if (change.written.includes(LIMITS_FILE) || change.removed.includes(LIMITS_FILE)) return true;
  const all = limited(desired);
  return all.length > 0 && (isWhole(change) || all.some(({ mount_path }) => fresh.includes(mount_path)));
}

/** What is not enforced as applied, one clause a volume. */
export async function uncountedFaults(inForce: StorageDesired, seen: Seen): Promise<string[]> {
  return (await uncountedVolumes(inForce, seen)).map(
    ({ name }) => `the volume ${name} is mounted without quota, so that no size limit on it holds: apply storage again`,
  );
}

/** Name → bytes that hosts are to see as capacity. A limit above the size of the disk shows the disk. None in a namespace. */
export async function capacities(host: Host, desired: StorageDesired): Promise<Map<string, bigint>> {
  const found = new Map<string, bigint>();
  if (serverOf(host.kind) === 'ganesha') return found;
  for (const datastore of limited(desired)) {
    const disk = await statfs(host.resolve(datastore.mount_path), { bigint: true }).catch(() => null);
    const [limit, size] = [bytesOf(datastore), disk === null ? null : disk.blocks * disk.bsize];
    if (size !== null) found.set(datastore.name, limit < size ? limit : size);
  }
  return found;
}
