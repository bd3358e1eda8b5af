// Mounts of volumes, which systemd makes. A disk that is away, and a mount that is in use, take nothing else along: what
// stays as it should not is said, and is drift until it is put right.
import type { Host } from '../../ground/machine/host.ts';
import type { UnitChange } from '../../platform/units/unit.ts';
import type { DesiredVolume, StorageDesired } from './desired.ts';
import { largerDisk, strangeOn } from './disk-state.ts';
import { deviceFault, isThere, mountedAt, mountedBelow, type Seen } from './disks.ts';
import { MOUNT_FOLDER, mountFile, mountUnit, serverOf } from './files.ts';
import { mounted } from './render.ts';

/** systemd reads all of its units anew, and waits 60 s for a disk. */
export const PATIENT = { timeout: 90_000 };

export const isMounted = async (host: Host, mount_path: string): Promise<boolean> =>
  (await host.exec('systemctl', ['is-active', '--quiet', mountUnit(mount_path)])).code === 0;

/** Volumes at whose place another disk is mounted: systemd would leave it there. */
export async function replacedVolumes(
  host: Host,
  desired: StorageDesired,
  { written }: Pick<UnitChange, 'written'>,
  seen: Seen,
): Promise<DesiredVolume[]> {
  const found: DesiredVolume[] = [];
  for (const volume of mounted(desired)) {
    const there = await mountedAt(volume.mount_path, volume.device, seen);
    // A disk that is not seen any more may be the one that is mounted, unless the volume was another one until now.
    const replaced = there === 'another' || (there === 'unseen' && written.includes(mountFile(volume.mount_path)));
    if (replaced && (await isMounted(host, volume.mount_path))) found.push(volume);
  }
  return found;
}

const GIB = 2 ** 30;
const sizeWords = (bytes: number): string => `${Math.round((bytes / GIB) * 10) / 10} GiB`;

export interface MountsMade {
  /** Mount paths of those that were not mounted before. */
  fresh: string[];
  /** Mount paths of those that are not mounted as they should be. */
  lost: string[];
  /** The same in clauses. */
  said: string[];
}

async function mountVolume(host: Host, volume: DesiredVolume, seen: Seen): Promise<string | null> {
  const { device, mount_path } = volume;
  // Checked before, but what the name stands for may have changed since, and a way back is not checked.
  const fault = await deviceFault(device, seen);
  if (fault !== null) return `whose disk ${fault}`;
  const strange = await strangeOn(volume, seen);
  if (strange !== null) return `whose disk ${strange}`;
  const made = await host.exec('systemctl', ['enable', '--now', host.resolve(mountFile(mount_path))], PATIENT);
  if (made.code === 0) {
    if (!volume.filesystem || (await mountedAt(mount_path, device, seen)) !== 'another') return null;
    // The name came to another disk between the look and the mount.
    await unmount(host, mountUnit(mount_path));
    return 'at whose place another disk was mounted: is one a copy of the other?';
  }
  return (await isThere(device, seen))
    ? 'whose disk can’t be mounted: does it carry XFS or ext4?'
    : 'whose disk is away';
}

interface Mounting {
  /** Mount paths at which another disk could not be unmounted. */
  inUse: readonly string[];
  /** Mount paths of what is made anew though it is mounted; null: of all. */
  touched: ReadonlySet<string> | null;
}

/** What is mounted, and not touched, stays as it is: systemd would read all of its units for each. */
export async function mountVolumes(
  host: Host,
  desired: StorageDesired,
  { inUse, touched }: Mounting,
  seen: Seen,
): Promise<MountsMade> {
  const result: MountsMade = { fresh: [], lost: [], said: [] };
  for (const volume of mounted(desired)) {
    const was = await isMounted(host, volume.mount_path);
    const touches = touched === null || touched.has(volume.mount_path) || inUse.includes(volume.mount_path);
    if (was && !touches) continue;
    const fault = inUse.includes(volume.mount_path)
      ? 'at whose place another disk is in use'
      : await mountVolume(host, volume, seen);
    if (fault !== null) result.said.push(`${volume.name}, ${fault}`);
    if (fault !== null) result.lost.push(volume.mount_path);
    else if (!was) result.fresh.push(volume.mount_path);
  }
  return result;
}

/** Answers whether it is not mounted any more. A host that has a file open over NFS 4.1 keeps it in use for a while. */
export async function unmount(host: Host, unit: string): Promise<boolean> {
  // systemd knows nothing of a mount that was never made.
  if ((await host.exec('systemctl', ['is-active', '--quiet', unit])).code !== 0) return true;
  return (await host.exec('systemctl', ['stop', unit], PATIENT)).code === 0;
}

/** Whatever is not to be mounted any more; on the way back, what had been written is what goes. Answers what is in use. */
export async function unmountGone(
  host: Host,
  desired: StorageDesired,
  { written, removed }: Pick<UnitChange, 'written' | 'removed'>,
): Promise<string[]> {
  const kept = new Set(mounted(desired).map(({ mount_path }) => mountFile(mount_path)));
  const gone = [...written, ...removed].filter((path) => path.startsWith(`${MOUNT_FOLDER}/`) && !kept.has(path));
  const busy: string[] = [];
  for (const path of gone) {
    const unit = path.slice(MOUNT_FOLDER.length + 1);
    if (!(await unmount(host, unit))) busy.push(unit);
    // Its file is gone already, so that it may have nothing to say to this.
    await host.exec('systemctl', ['disable', unit], PATIENT);
  }
  // So that systemd forgets them.
  if (gone.length > 0) await host.exec('systemctl', ['daemon-reload'], PATIENT);
  return busy;
}

/** Not mounted, and their disk is not seen. One that is seen and can't be mounted is a fault. None in a namespace. */
export async function awayVolumes(host: Host, desired: StorageDesired, seen: Seen): Promise<DesiredVolume[]> {
  if (serverOf(host.kind) === 'ganesha') return [];
  const away: DesiredVolume[] = [];
  for (const volume of mounted(desired)) {
    if (!(await isThere(volume.device, seen)) && !(await isMounted(host, volume.mount_path))) away.push(volume);
  }
  return away;
}

/** What is not mounted as applied, one clause a volume. */
export async function volumeFaults(host: Host, inForce: StorageDesired, seen: Seen): Promise<string[]> {
  const faults: string[] = [];
  for (const volume of mounted(inForce)) {
    const { name, device, mount_path } = volume;
    const larger = await largerDisk(volume, seen);
    if (larger !== null) {
      const [disk, filled] = [larger.disk, larger.filesystem].map(sizeWords);
      faults.push(
        `the disk of the volume ${name} is larger (${disk}) than its filesystem (${filled}): grow it on its page`,
      );
    }
    const strange = await strangeOn(volume, seen);
    if (strange !== null) faults.push(`the disk of the volume ${name} ${strange}`);
    const there = await mountedAt(mount_path, device, seen);
    if (there === 'another') faults.push(`another disk than that of the volume ${name} is mounted at ${mount_path}`);
    else if (!(await isMounted(host, mount_path))) {
      const why = (await isThere(device, seen))
        ? 'though its disk is there: apply storage again'
        : 'since its disk is away: apply storage again when it is back';
      faults.push(`the volume ${name} is not mounted, ${why}`);
    }
  }
  return faults;
}

/** What no volume names, one clause each: it was in use when its volume went. */
export async function strayMounts(inForce: StorageDesired, seen: Seen): Promise<string[]> {
  const kept = new Set(mounted(inForce).map(({ mount_path }) => mount_path));
  return (await mountedBelow(seen))
    .filter((at) => !kept.has(at))
    .map((at) => `a disk is mounted at ${at}, which no volume in force names: restart the appliance, or unmount it`);
}
