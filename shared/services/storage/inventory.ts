// The disks of the machine, as udev and the kernel tell everybody: no program and no root. What udev says of a disk's content is
// as old as its last look; whoever changes a disk looks at the disk itself (disk-look.ts).
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BY_ID, isWholeDisk } from './disk-names.ts';
import { mountsIn, SEEN, type Seen } from './disks.ts';

/** What stands on a disk or on a part of it. */
export interface Content {
  /** Of a filesystem, a partition table or a member of something larger: `xfs`, `gpt`, `LVM2_member`. */
  type: string;
  /** '' where it has none. */
  uuid: string;
}

export interface Disk {
  /** The kernel’s: `sdb`. */
  name: string;
  /** `major:minor` */
  number: string;
  /** Names of the whole disk below /dev/disk/by-id, the one to use first. */
  ids: string[];
  bytes: number;
  model: string;
  serial: string;
  wwn: string;
  read_only: boolean;
  /** Signatures on the disk itself. */
  contents: Content[];
  partitions: { name: string; bytes: number; content: Content | null }[];
  /** Where it, a part of it or what is built on it is mounted. */
  mounts: string[];
  /** Whether it or a part of it is swap space. */
  swap: boolean;
  /** What is built on it: `dm-0`, `md0`. */
  holders: string[];
}

const SECTOR = 512;
const none = <T>(found: Promise<T>, instead: T): Promise<T> => found.catch(() => instead);
const names = async (folder: string): Promise<string[]> => (await none(readdir(folder), [])).sort();
const text = async (file: string): Promise<string> => (await none(readFile(file, 'utf8'), '')).trim();
const bytesOf = async (folder: string): Promise<number> => Number(await text(join(folder, 'size'))) * SECTOR;

interface Known {
  links: string[];
  properties: ReadonlyMap<string, string>;
}

/** udev's record of a device; empty where it has none. */
async function knownOf(number: string, { udev }: Seen): Promise<Known> {
  const lines = (await text(join(udev, `b${number}`))).split('\n');
  const after = (mark: string) => lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
  const pairs = after('E:').map((pair): [string, string] => {
    const cut = pair.indexOf('=');
    return [pair.slice(0, cut), pair.slice(cut + 1)];
  });
  return { links: after('S:'), properties: new Map(pairs) };
}

/** Pure. udev tells a filesystem and a partition table apart. */
function contentsIn({ properties }: Known): Content[] {
  const found: Content[] = [];
  const of = (type: string, uuid: string) => {
    const said = properties.get(type);
    if (said) found.push({ type: said, uuid: properties.get(uuid) ?? '' });
  };
  of('ID_FS_TYPE', 'ID_FS_UUID');
  of('ID_PART_TABLE_TYPE', 'ID_PART_TABLE_UUID');
  // Two filesystems at once: udev names neither.
  if (properties.has('ID_FS_AMBIVALENT')) found.push({ type: 'several filesystems at once', uuid: '' });
  return found;
}

/** udev writes what is no letter of a name as `_`, and pads some with blanks. */
const plain = (value: string | undefined): string =>
  (value ?? '')
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .replaceAll(/[_ ]+/g, ' ')
    .trim()
    .slice(0, 128);

/** Names that the maker gave first; of the others what sorts first. */
const RANKS = [/^wwn-/, /^nvme-eui\./, /^scsi-3/, /^ata-/, /^nvme-/, /^scsi-/, /^virtio-/, /^usb-/];
const rankOf = (id: string): number => {
  const at = RANKS.findIndex((each) => each.test(id));
  return at < 0 ? RANKS.length : at;
};
const idsIn = ({ links }: Known): string[] =>
  links
    .filter((link) => link.startsWith('disk/by-id/'))
    .map((link) => `${BY_ID}${link.slice('disk/by-id/'.length)}`)
    .filter(isWholeDisk)
    .sort((one, other) => {
      const [a, b] = [one, other].map((each) => each.slice(BY_ID.length)) as [string, string];
      return rankOf(a) - rankOf(b) || (a < b ? -1 : 1);
    });

/** The device, its partitions, and what is built on any of them, by name. */
async function treeOf(name: string, { sys }: Seen): Promise<{ all: Map<string, string>; holders: string[] }> {
  const all = new Map<string, string>();
  const holders = new Set<string>();
  const open = [name];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (all.has(at)) continue;
    const folder = join(sys, 'class/block', at);
    all.set(at, await text(join(folder, 'dev')));
    for (const part of await names(folder)) if ((await text(join(folder, part, 'partition'))) !== '') open.push(part);
    for (const holder of await names(join(folder, 'holders'))) {
      holders.add(holder);
      open.push(holder);
    }
  }
  return { all, holders: [...holders].sort() };
}

/** The device below /dev that a row of mountinfo(5) or of /proc/swaps names. */
const isOn = (all: ReadonlyMap<string, string>, number: string, source: string): boolean =>
  [...all].some(([name, own]) => (own !== '' && own === number) || source === `/dev/${name}`);

async function partitionsOf(name: string, seen: Seen): Promise<Disk['partitions']> {
  const folder = join(seen.sys, 'class/block', name);
  const found: Disk['partitions'] = [];
  for (const part of await names(folder)) {
    const own = join(folder, part);
    if ((await text(join(own, 'partition'))) === '') continue;
    const [content = null] = contentsIn(await knownOf(await text(join(own, 'dev')), seen));
    found.push({ name: part, bytes: await bytesOf(own), content });
  }
  return found;
}

async function diskOf(name: string, known: Known, number: string, seen: Seen): Promise<Disk> {
  const folder = join(seen.sys, 'class/block', name);
  const { all, holders } = await treeOf(name, seen);
  const { properties } = known;
  const swaps = (await text(seen.swaps)).split('\n').map((row) => row.split(/\s/, 1)[0]!);
  const mounts = mountsIn(await text(seen.mounts)).filter((mount) => isOn(all, mount.number, mount.source));
  return {
    name,
    number,
    ids: idsIn(known),
    bytes: await bytesOf(folder),
    model: plain(properties.get('ID_MODEL') ?? (await text(join(folder, 'device/model')))),
    serial: plain(
      properties.get('ID_SERIAL_SHORT') ?? properties.get('ID_SERIAL') ?? (await text(join(folder, 'serial'))),
    ),
    wwn: plain(properties.get('ID_WWN_WITH_EXTENSION') ?? properties.get('ID_WWN')),
    read_only: (await text(join(folder, 'ro'))) === '1',
    contents: contentsIn(known),
    partitions: await partitionsOf(name, seen),
    mounts: [...new Set(mounts.map(({ at }) => at))],
    swap: swaps.some((source) => isOn(all, '', source)),
    holders,
  };
}

/** What is built on others, and drives for media that come and go. */
const BUILT = /^(?:dm-|md|zram|ram|sr|fd)/;

/** A part of a disk is none; nor is what has neither a device nor a stable name, such as a loop. */
async function isDisk(name: string, known: Known, seen: Seen): Promise<boolean> {
  const folder = join(seen.sys, 'class/block', name);
  if ((await text(join(folder, 'partition'))) !== '' || known.properties.get('ID_CDROM') === '1') return false;
  return idsIn(known).length > 0 || (await names(join(folder, 'device'))).length > 0;
}

/** All disks, by the kernel's names. */
export async function disksOf(seen: Seen = SEEN): Promise<Disk[]> {
  const found: Disk[] = [];
  for (const name of await names(join(seen.sys, 'class/block'))) {
    const number = BUILT.test(name) ? '' : await text(join(seen.sys, 'class/block', name, 'dev'));
    if (number === '') continue;
    const known = await knownOf(number, seen);
    if (!(await isDisk(name, known, seen))) continue;
    found.push(await diskOf(name, known, number, seen));
  }
  return found;
}

/** Bytes of a disk, from its start, that the filesystem on it takes; 0: udev does not tell (before systemd 254). */
export async function filesystemBytes({ number }: Disk, seen: Seen): Promise<number> {
  const { properties } = await knownOf(number, seen);
  const of = (name: string): number => Number(properties.get(name)) || 0;
  return of('ID_FS_LASTBLOCK') * of('ID_FS_BLOCKSIZE');
}

/** The one disk that goes by this name below /dev/disk/by-id; null: it is away, or two go by it. */
export function diskNamed(disks: readonly Disk[], device: string): Disk | null {
  const named = disks.filter(({ ids }) => ids.includes(device));
  return named.length === 1 ? named[0]! : null;
}
