// How the disks of the volumes stand, seen without root: what an order needs, and what stands where a volume's own filesystem
// should.
import { elsewhere, twinFault } from './carriers.ts';
import type { DesiredVolume, StorageDesired } from './desired.ts';
import { fingerprintOf, formatFault, growFault, strangeContent } from './disk-fitness.ts';
import { isHalf, readRecord } from './disk-order.ts';
import type { Seen } from './disks.ts';
import { type Disk, diskNamed, disksOf } from './inventory.ts';
import { mounted } from './render.ts';

const ANEW = 'order it anew on the page of the volume';
const REVIEWED = 'is not the one that was reviewed: its names, its size or its serial number differ';

/** Why a volume can't be put in force with this disk, in a clause; null: it can. `disk` is null where it is away. */
async function faultOf(volume: DesiredVolume, disk: Disk | null, seen: Seen, records?: string): Promise<string | null> {
  const { filesystem, ordered, mount_path } = volume;
  if (!filesystem) return null;
  const record = await readRecord(filesystem.uuid, records);
  const { begun, made, bytes } = record;
  if (disk === null) return ordered ? `is away, so that nothing can be done with it: attach it, and ${ANEW}` : null;
  const twin = await twinFault(filesystem.uuid, disk.number, seen);
  if (twin !== null) return twin;
  const strange = strangeContent(disk, filesystem);
  if (ordered) {
    if (fingerprintOf(disk) !== filesystem.fingerprint) return `${REVIEWED}; ${ANEW}`;
    if (ordered.work === 'grow') return growFault(disk, { ...filesystem, bytes: 0 }, mount_path);
    // Made before the apply was interrupted.
    if (made && strange === null) return null;
    const fault = formatFault(disk, isHalf(record, filesystem.fingerprint) ? filesystem : null);
    return fault && `${fault}: only a blank disk is formatted`;
  }
  if (begun && !made) return `may carry half a filesystem, since its formatting was cut off: ${ANEW}`;
  if (strange !== null)
    return strange === 'is blank' ? `is blank, and its formatting is not ordered: ${ANEW}` : strange;
  return made && bytes < filesystem.bytes ? `is larger than its filesystem, which was not grown: ${ANEW}` : null;
}

/** Faults of what is to be put in force, one sentence each. */
export async function diskFaults(desired: StorageDesired, seen: Seen, records?: string): Promise<string[]> {
  const volumes = mounted(desired).filter(({ filesystem }) => filesystem !== undefined);
  if (volumes.length === 0) return [];
  const disks = await disksOf(seen);
  const faults = twice(mounted(desired), disks);
  for (const volume of volumes) {
    const fault = await faultOf(volume, diskNamed(disks, volume.device), seen, records);
    if (fault !== null) faults.push(`The disk of the volume ${volume.name} ${fault}.`);
  }
  return faults;
}

/** A disk has many names: two volumes may have different ones of the same. */
function twice(volumes: readonly DesiredVolume[], disks: readonly Disk[]): string[] {
  const named = Map.groupBy(volumes, ({ device }) => diskNamed(disks, device)?.name);
  return [...named].flatMap(([disk, all]) =>
    disk === undefined || all.length < 2
      ? []
      : [`The volumes ${all.map(({ name }) => name).join(', ')} name the same disk: keep one of them.`],
  );
}

/** What stands where the volume's own filesystem should, in a clause; null: that does, nothing carries it, or none is known. */
export async function strangeOn({ device, filesystem }: DesiredVolume, seen: Seen): Promise<string | null> {
  if (!filesystem) return null;
  const disk = diskNamed(await disksOf(seen), device);
  if (disk === null) return elsewhere(filesystem.uuid, seen);
  return strangeContent(disk, filesystem) ?? (await twinFault(filesystem.uuid, disk.number, seen));
}

/** Bytes of a disk and of the filesystem that does not fill it; null: it does, or nothing is known of either. */
export async function largerDisk(
  { device, filesystem }: DesiredVolume,
  seen: Seen,
  records?: string,
): Promise<{ disk: number; filesystem: number } | null> {
  if (!filesystem) return null;
  const disk = diskNamed(await disksOf(seen), device);
  const { bytes } = await readRecord(filesystem.uuid, records);
  const filled = bytes || filesystem.bytes;
  return disk !== null && filled > 0 && disk.bytes > filled ? { disk: disk.bytes, filesystem: filled } : null;
}
