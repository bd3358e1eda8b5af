// What may be done to a disk. Pure: every answer is made of what was seen of the disk, and a disk that carries anything is none
// to be formatted, whoever asks.
import { createHash } from 'node:crypto';
import type { Disk } from './inventory.ts';
import { MOUNTS } from './paths.ts';

export const FILESYSTEMS = ['xfs', 'ext4'] as const;
export type FilesystemKind = (typeof FILESYSTEMS)[number];

/** What the appliance made on a volume's disk, or is to make. */
export interface Filesystem {
  kind: FilesystemKind;
  /** Chosen before it is made, so that it is known again. */
  uuid: string;
  /** Of the disk that it is made or grown for, or that it was found to take; 0: not known. */
  bytes: number;
  /** Of the disk when the work on it was ordered. */
  fingerprint: string;
}

/** Least bytes of a disk: mkfs.xfs(8) makes none below 300 MiB. */
export const LEAST = 300 << 20;

/** Which disk it is, whatever it carries: names, size, model, serial number and WWN. 64 hex digits. */
export function fingerprintOf({ ids, bytes, model, serial, wwn }: Disk): string {
  return createHash('sha256')
    .update(JSON.stringify([[...ids].sort(), bytes, model, serial, wwn]))
    .digest('hex');
}

const contentWords = ({ type, uuid }: Disk['contents'][number]): string =>
  uuid === '' ? type : `${type} with the UUID ${uuid}`;

/** Uses that nothing may be formatted under, in a clause. */
function useOf({ mounts, swap, holders }: Disk): string | null {
  const own = mounts.find((at) => !at.startsWith(MOUNTS));
  if (own !== undefined) return `is in use by the appliance itself, at ${own}`;
  if (swap) return 'is in use by the appliance itself, as swap';
  if (mounts.length > 0) return `is mounted at ${mounts[0]}`;
  if (holders.length > 0) return `is a part of ${holders.join(', ')}`;
  return null;
}

/**
 * Why a disk can't be formatted, in a clause; null: it is blank. `own`: a filesystem that was begun and not completed, which
 * may be begun again as long as nothing else stands there.
 */
export function formatFault(disk: Disk, own: Pick<Filesystem, 'kind' | 'uuid'> | null = null): string | null {
  const use = useOf(disk);
  if (use !== null) return use;
  if (disk.partitions.length > 0) return `has partitions: ${disk.partitions.map(({ name }) => name).join(', ')}`;
  const foreign = disk.contents.filter(({ type, uuid }) => own === null || type !== own.kind || uuid !== own.uuid);
  if (foreign.length > 0) return `carries ${foreign.map(contentWords).join(' and ')}`;
  if (disk.contents.length > 1) return 'carries more than one filesystem';
  if (disk.read_only) return 'is read-only';
  if (disk.bytes < LEAST) return 'is smaller than 300 MiB';
  if (disk.ids.length === 0)
    return 'has no name below /dev/disk/by-id: switch on disk.EnableUUID of the virtual machine';
  return null;
}

/** What a disk is good for. `blank`: to be formatted; `filesystem`: it has one that can be mounted as it is. */
export type Fitness = { fit: 'blank' | 'filesystem'; why: null } | { fit: 'no'; why: string };

const MOUNTABLE: ReadonlySet<string> = new Set(FILESYSTEMS);

/** Whether a disk can take a volume, and why not. */
export function fitnessOf(disk: Disk): Fitness {
  const use = useOf(disk);
  if (use !== null) return { fit: 'no', why: use };
  const [only, more] = disk.contents;
  const whole = only !== undefined && more === undefined && MOUNTABLE.has(only.type) && disk.partitions.length === 0;
  if (whole && disk.ids.length > 0) return { fit: 'filesystem', why: null };
  const why = formatFault(disk);
  return why === null ? { fit: 'blank', why: null } : { fit: 'no', why };
}

/** Why the filesystem of a volume can't grow to its disk, in a clause; null: it can. */
export function growFault(disk: Disk, filesystem: Filesystem, mount_path: string): string | null {
  const foreign = strangeContent(disk, filesystem);
  if (foreign !== null) return foreign;
  if (!disk.mounts.includes(mount_path)) return `is not mounted at ${mount_path}: apply storage first`;
  return disk.bytes > filesystem.bytes ? null : 'is not larger than its filesystem';
}

/** What stands where the volume's own filesystem should, in a clause; null: that does. */
export function strangeContent(disk: Disk, { kind, uuid }: Pick<Filesystem, 'kind' | 'uuid'>): string | null {
  const { contents, partitions } = disk;
  if (contents.length === 1 && contents[0]!.type === kind && contents[0]!.uuid === uuid) return null;
  if (contents.length === 0 && partitions.length === 0) return 'is blank';
  return `carries ${contents.map(contentWords).join(' and ') || 'partitions'}, not the volume’s own filesystem`;
}
