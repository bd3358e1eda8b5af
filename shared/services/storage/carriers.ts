// Who carries the filesystem of a UUID, as udev tells everybody: a cloned disk carries that of the disk it was made of, and one
// that moved has it under another name. XFS mounts only one of two with the same UUID.
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SEEN, type Seen } from './disks.ts';

export interface Carrier {
  /** `major:minor` */
  number: string;
  /** The kernel's: `sdb`. */
  name: string;
}

const text = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/** All that carry it: disks, parts of them, and what is built on them. */
export async function carriersOf(uuid: string, { udev, sys }: Seen = SEEN): Promise<Carrier[]> {
  const found: Carrier[] = [];
  for (const each of (await readdir(udev).catch((): string[] => [])).sort()) {
    if (!/^b\d+:\d+$/.test(each)) continue;
    if (!(await text(join(udev, each))).split('\n').includes(`E:ID_FS_UUID=${uuid}`)) continue;
    const number = each.slice(1);
    const [, device = number] = /^DEVNAME=(.+)$/m.exec(await text(join(sys, 'dev/block', number, 'uevent'))) ?? [];
    found.push({ number, name: basename(device) });
  }
  return found;
}

/** Who carries it beside this disk, in a clause; null: nobody. */
export async function twinFault(uuid: string, number: string, seen: Seen): Promise<string | null> {
  const others = (await carriersOf(uuid, seen)).filter((each) => each.number !== number);
  if (others.length === 0) return null;
  const all = others.map(({ name }) => name).join(', ');
  return `has the same filesystem UUID as ${all}: one is a copy of the other. Detach the copy, or give it a new UUID`;
}

/** Who carries it while the volume's disk is away, in a clause; null: nobody. */
export async function elsewhere(uuid: string, seen: Seen): Promise<string | null> {
  const all = (await carriersOf(uuid, seen)).map(({ name }) => name);
  return all.length === 0
    ? null
    : `is away, though ${all.join(', ')} carries the filesystem of the volume: attach the disk under its own name, or add a volume for the other one`;
}
