// Who carries the filesystem of a UUID, as udev tells everybody: a cloned disk carries that of the disk it was made of, and the
// appliance's own filesystems have a UUID like any other. Whoever mounts by a UUID asks here first. Read at once and not in
// turns, since the guard of root's files asks, too: a machine has a few small files of these.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { mountsIn, SEEN, type Seen } from './disks.ts';
import { MOUNTS } from './paths.ts';

export interface Carrier {
  /** `major:minor` */
  number: string;
  /** The kernel's: `sdb`. */
  name: string;
  /** Whether it is a disk itself: no part of one, and nothing that is built on others. */
  whole: boolean;
  /** Where it is mounted. */
  mounts: string[];
}

/** '' where there is no such file. @throws whatever else keeps it from being read */
function text(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'ENODEV'].includes(code)) return '';
    throw error;
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const BUILT = /^(?:dm-|md)/;

/** All that carry it. A UUID is in lower case. @throws Error where udev's files can't be read: nobody takes that for none */
export function carriersOf(uuid: string, seen: Seen = SEEN): Carrier[] {
  const line = `E:ID_FS_UUID=${uuid}`;
  const found = names(seen.udev).filter(
    (each) =>
      /^b\d+:\d+$/.test(each) && text(join(seen.udev, each)).toLowerCase().split('\n').includes(line.toLowerCase()),
  );
  if (found.length === 0) return [];
  const mounts = mountsIn(text(seen.mounts));
  return found.map((each) => {
    const number = each.slice(1);
    const folder = join(seen.sys, 'dev/block', number);
    const name = basename((/^DEVNAME=(.+)$/m.exec(text(join(folder, 'uevent'))) ?? [])[1] ?? number);
    const own = mounts.filter((mount) => mount.number === number || mount.source === `/dev/${name}`);
    return {
      ...{ number, name, mounts: own.map(({ at }) => at) },
      whole: text(join(folder, 'partition')) === '' && !BUILT.test(name),
    };
  });
}

/**
 * Whether a mount by this UUID could be another one than that of a volume's disk: a part of a disk, what is built on others,
 * or what the appliance itself has mounted.
 */
export const isForeign = (uuid: string, seen: Seen = SEEN): boolean =>
  carriersOf(uuid, seen).some(({ whole, mounts }) => !whole || mounts.some((at) => !at.startsWith(MOUNTS)));

/** Who carries it beside this disk, in a clause; null: nobody. */
export function twinFault(uuid: string, number: string, seen: Seen): string | null {
  const others = carriersOf(uuid, seen).filter((each) => each.number !== number);
  if (others.length === 0) return null;
  const all = others.map(({ name }) => name).join(', ');
  return `has the same filesystem UUID as ${all}: one is a copy of the other. Detach the copy, or give it a new UUID`;
}

/** Who carries it while the volume's disk is away, in a clause; null: nobody. A mount by the UUID would take that one. */
export function elsewhere(uuid: string, seen: Seen): string | null {
  const all = carriersOf(uuid, seen).map(({ name }) => name);
  return all.length === 0
    ? null
    : `is away, though ${all.join(', ')} carries the filesystem of the volume: attach the disk under its own name, or add a volume for the other one`;
}
