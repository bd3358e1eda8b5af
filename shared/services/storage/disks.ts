// Whether a disk is one for a volume: never one that the appliance itself runs from, since a client of an export is root on it.
// Read from what udev and the kernel tell everybody: the service has no /dev of its own.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BY_ID, isWholeDisk } from './disk-names.ts';
import { MOUNTS } from './paths.ts';

/** Files of udev and the kernel; tests have their own. */
export interface Seen {
  /** udev's database: one file `b<major>:<minor>` a block device, with a line `S:<link below /dev>` for each of its names. */
  udev: string;
  /** sysfs(5). */
  sys: string;
  /** proc_pid_mountinfo(5). */
  mounts: string;
  /** Swap spaces. proc_swaps(5). */
  swaps: string;
}
export const SEEN: Seen = {
  udev: '/run/udev/data',
  sys: '/sys',
  mounts: '/proc/self/mountinfo',
  swaps: '/proc/swaps',
};

const orNone = <T>(found: Promise<T>, none: T): Promise<T> => found.catch(() => none);
const names = (folder: string): Promise<string[]> => orNone(readdir(folder), []);
const text = async (file: string): Promise<string> => (await orNone(readFile(file, 'utf8'), '')).trim();

/** `major:minor` of what goes by this name now; udev leaves none where the disk is away. */
export async function numbersOf(device: string, { udev }: Seen): Promise<string[]> {
  const line = `S:disk/by-id/${device.slice(BY_ID.length)}`;
  const blocks = (await names(udev)).filter((each) => /^b\d+:\d+$/.test(each));
  const has = await Promise.all(blocks.map(async (each) => (await text(join(udev, each))).split('\n').includes(line)));
  return blocks.filter((_each, at) => has[at]).map((each) => each.slice(1));
}

const deviceName = (uevent: string): string => (/^DEVNAME=(.+)$/m.exec(uevent) ?? [])[1] ?? '';

/** The device itself, its partitions, and what is built on any of them. */
async function standingOn(folder: string, { sys }: Seen): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const number = await text(join(at, 'dev'));
    if (number === '' || found.has(number)) continue;
    found.set(number, deviceName(await text(join(at, 'uevent'))));
    for (const name of await names(at)) {
      if ((await text(join(at, name, 'partition'))) !== '') open.push(join(at, name));
    }
    for (const name of await names(join(at, 'holders'))) open.push(join(sys, 'class/block', name));
  }
  return found;
}

interface Mount {
  number: string;
  at: string;
  source: string;
}

/** Pure: rows of mountinfo(5). */
export const mountsIn = (mountinfo: string): Mount[] =>
  mountinfo.split('\n').flatMap((row) => {
    const [left = '', right = ''] = row.split(' - ');
    const [, , number, , at] = left.split(' ');
    const [, source = ''] = right.split(' ');
    const plain = (octal: string) =>
      octal.replaceAll(/\\([0-7]{3})/g, (_all, code) => String.fromCharCode(parseInt(code, 8)));
    return number && at ? [{ number, at: plain(at), source: plain(source) }] : [];
  });

/** Why it can't be a volume, in a clause; null: nothing speaks against it, or it is away. */
export async function deviceFault(device: string, seen: Seen = SEEN): Promise<string | null> {
  if (!isWholeDisk(device)) return 'is no whole disk';
  const mounts = mountsIn(await text(seen.mounts));
  const swaps = await text(seen.swaps);
  for (const number of await numbersOf(device, seen)) {
    const folder = join(seen.sys, 'dev/block', number);
    if ((await text(join(folder, 'partition'))) !== '') return 'is a part of a disk';
    for (const [each, name] of await standingOn(folder, seen)) {
      // btrfs has numbers of its own, but names its source.
      const used = mounts.find(
        ({ number, at, source }) => (number === each || source === `/dev/${name}`) && !at.startsWith(MOUNTS),
      );
      if (used) return `is in use by the appliance itself, at ${used.at}`;
      if (swaps.includes(`/dev/${name} `)) return 'is in use by the appliance itself, as swap';
    }
  }
  return null;
}

/** Where something is mounted below the folder of all volumes. */
export async function mountedBelow(seen: Seen = SEEN): Promise<string[]> {
  return [...new Set(mountsIn(await text(seen.mounts)).flatMap(({ at }) => (at.startsWith(MOUNTS) ? [at] : [])))];
}

export const isThere = async (device: string, seen: Seen = SEEN): Promise<boolean> =>
  (await numbersOf(device, seen)).length > 0;

/** `unseen`: something is mounted, but this disk is away. */
export type Mounted = 'it' | 'another' | 'unseen' | 'nothing';

/** Whether this disk is mounted at the path, another one, or none. */
export async function mountedAt(path: string, device: string, seen: Seen = SEEN): Promise<Mounted> {
  const there = mountsIn(await text(seen.mounts)).findLast(({ at }) => at === path);
  if (!there) return 'nothing';
  const numbers = await numbersOf(device, seen);
  for (const number of numbers) {
    const uevent = await text(join(seen.sys, 'dev/block', number, 'uevent'));
    if (there.number === number || there.source === `/dev/${deviceName(uevent)}`) return 'it';
  }
  return numbers.length > 0 ? 'another' : 'unseen';
}
