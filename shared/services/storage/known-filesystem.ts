// The filesystem that a new volume finds on its disk: from then on the volume is that filesystem, and no other one that comes
// under the disk's name is mounted in its place.
import { FILESYSTEMS, fingerprintOf, fitnessOf } from './disk-fitness.ts';
import { SEEN, type Seen } from './disks.ts';
import { type Disk, diskNamed, disksOf, filesystemBytes } from './inventory.ts';
import type { StorageVolume } from './volumes.ts';

type Known = Pick<StorageVolume, 'filesystem' | 'filesystem_uuid' | 'filesystem_bytes' | 'disk_fingerprint'>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A filesystem ends this close to the end of a disk that it fills: a last group or block that is too small is left out. */
const REST = 16 << 20;

/** It may have been made for a smaller disk. 0: nobody can tell, so that it may be grown. */
async function takenOf(disk: Disk, seen: Seen): Promise<number> {
  const taken = await filesystemBytes(disk, seen);
  return taken > 0 && disk.bytes - taken < REST ? disk.bytes : taken;
}

/** Null: the disk is away, carries none that can be mounted, or one without a UUID. */
export async function filesystemOn(device: string, seen: Seen = SEEN): Promise<Known | null> {
  const disk = diskNamed(await disksOf(seen), device);
  if (disk === null || fitnessOf(disk).fit !== 'filesystem') return null;
  const [{ type, uuid }] = disk.contents as [{ type: string; uuid: string }];
  const filesystem = FILESYSTEMS.find((kind) => kind === type);
  if (filesystem === undefined || !UUID.test(uuid)) return null;
  const disk_fingerprint = fingerprintOf(disk);
  return { filesystem, filesystem_uuid: uuid, filesystem_bytes: await takenOf(disk, seen), disk_fingerprint };
}
