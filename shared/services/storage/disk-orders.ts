// Orders to do work on a volume's disk: whoever may write storage types the name of the volume, and the order counts for the one
// plan that is submitted next. It ends with that plan, whatever becomes of it.
import type { Entropy } from '../../ground/clock.ts';
import { invalid, Problem } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { type FilesystemKind, fingerprintOf, formatFault, growFault } from './disk-fitness.ts';
import { type DiskRecord, isHalf, type Work } from './disk-order.ts';
import type { Disk } from './inventory.ts';
import type { StorageVolume } from './volumes.ts';

/** The plan takes the orders that stand; those of volumes that are off wait. */
export const bindOrders = (tx: Transaction, plan_id: string): Promise<unknown> =>
  tx.run("UPDATE storage_volume SET ordered_plan = ? WHERE ordered_work <> '' AND enabled = 1", [plan_id]);

export const endOrders = (tx: Transaction, plan_id: string): Promise<unknown> =>
  tx.run(
    "UPDATE storage_volume SET ordered_work = '', ordered_plan = '', revision = revision + 1 WHERE ordered_plan = ?",
    [plan_id],
  );

/** What was seen of the disk that the volume names. `disk` is null where it is away. */
export interface Sight {
  disk: Disk | null;
  record: DiskRecord;
}

/** Members of a volume that an order writes. */
export type Ordered = Pick<
  StorageVolume,
  'filesystem' | 'filesystem_uuid' | 'filesystem_bytes' | 'disk_fingerprint' | 'ordered_work'
>;

/** @throws Problem 422 unless the name was typed exactly */
export function requireName({ name }: StorageVolume, confirm: string): void {
  if (confirm === name) return;
  throw invalid({ pointer: '/confirm', detail: `Type the name of the volume, ${name}.` });
}

const refused = (detail: string): Problem => new Problem('state_conflict', detail);

/**
 * Pure but for the UUID. @throws Problem 409 for a disk that is away or carries anything, with what to do
 */
export function formatOrder(
  volume: StorageVolume,
  kind: FilesystemKind,
  { disk, record }: Sight,
  entropy: Entropy,
): Ordered {
  if (disk === null) throw refused(`The disk ${volume.device} of the volume ${volume.name} is away: attach it first.`);
  const half = isHalf(record, fingerprintOf(disk)) && volume.filesystem === kind;
  const own = half ? { kind, uuid: volume.filesystem_uuid } : null;
  const fault = formatFault(disk, own);
  if (fault !== null) {
    throw refused(
      `The disk of the volume ${volume.name} ${fault}. Only a blank disk is formatted, and nothing is wiped: use another disk, or empty this one by hand.`,
    );
  }
  return {
    filesystem: kind,
    // What was begun is begun again; anything else is a filesystem of its own.
    filesystem_uuid: half && disk.contents.length > 0 ? volume.filesystem_uuid : uuidFrom(entropy),
    filesystem_bytes: disk.bytes,
    disk_fingerprint: fingerprintOf(disk),
    ordered_work: 'format' satisfies Work,
  };
}

/** @throws Problem 409 where nothing is to be grown, or the filesystem is none of ours */
export function growOrder(volume: StorageVolume, { disk, record }: Sight): Ordered {
  const { name, filesystem, filesystem_uuid, filesystem_bytes, mount_path } = volume;
  if (filesystem === '') {
    throw refused(`The filesystem of the volume ${name} is not known: its disk was away when the volume was added.`);
  }
  if (disk === null) throw refused(`The disk ${volume.device} of the volume ${name} is away: attach it first.`);
  const own = { kind: filesystem as FilesystemKind, uuid: filesystem_uuid, fingerprint: '' };
  const fault = growFault(disk, { ...own, bytes: record.bytes || filesystem_bytes }, mount_path);
  if (fault !== null) throw refused(`The disk of the volume ${name} ${fault}.`);
  const fingerprint = fingerprintOf(disk);
  return {
    ...{ filesystem, filesystem_uuid, filesystem_bytes: disk.bytes, disk_fingerprint: fingerprint },
    ordered_work: 'grow' satisfies Work,
  };
}

/** What a rehearsal takes for a disk that is away: nothing is done with it. */
export function rehearsedDisk({ device, filesystem, filesystem_uuid, mount_path }: StorageVolume, work: Work): Disk {
  const bytes = work === 'format' ? 2 ** 40 : 2 ** 41;
  return {
    ...{ name: 'rehearsed', number: '0:0', ids: [device], bytes, model: '', serial: '', wwn: '', read_only: false },
    ...{ partitions: [], swap: false, holders: [] },
    contents: work === 'grow' ? [{ type: filesystem, uuid: filesystem_uuid }] : [],
    mounts: work === 'grow' ? [mount_path] : [],
  };
}

/** Of version 4 (RFC 9562). */
function uuidFrom(entropy: Entropy): string {
  const bytes = Buffer.from(entropy.bytes(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
