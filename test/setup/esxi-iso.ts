// Synthetic ISO 9660 images like those of ESXi, written byte by byte, so that a test can also make ones that no tool
// would: names that lead elsewhere, links, devices, loops, extents beyond the end. ECMA-119, SUSP 1.12, RRIP 1.12, Joliet.
import { writeFile } from 'node:fs/promises';

const SECTOR = 2048;

export type Names = 'rock-ridge' | 'joliet' | 'plain';

export interface Entry {
  /** Names from the root, as they are: a name may hold whatever its coding can. */
  path: readonly string[];
  content?: Buffer;
  /** POSIX mode of Rock Ridge instead of a regular file's. */
  mode?: number;
  /** Target of a symbolic link (SL). */
  link?: string;
  /** A device number (PN). */
  device?: boolean;
  /** Another system use entry: `CL`, `ZF`. */
  special?: string;
  /** Flags of the directory record, instead of none. */
  flags?: number;
  /** Where the record says that its content lies. */
  extent?: { sector: number; size: number };
}

interface Node {
  name: string;
  entry: Entry | null;
  children: Node[];
  sector: number;
  size: number;
  parent: Node | null;
  /** ECMA-119's own name, for images whose real names are Rock Ridge's. */
  short: string;
}

const both16 = (n: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16LE(n, 0);
  bytes.writeUInt16BE(n, 2);
  return bytes;
};
const both32 = (n: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(n, 0);
  bytes.writeUInt32BE(n, 4);
  return bytes;
};

function susp(signature: string, ...data: Buffer[]): Buffer {
  const body = Buffer.concat(data);
  return Buffer.concat([Buffer.from(signature, 'latin1'), Buffer.from([4 + body.length, 1]), body]);
}

const FOLDER_MODE = 0o040755;
const FILE_MODE = 0o100644;

const posix = (mode: number): Buffer => susp('PX', both32(mode), both32(1), both32(0), both32(0), both32(0));

/** Longer than a record can hold goes on in a second NM. */
function nameEntries(name: string): Buffer[] {
  const bytes = Buffer.from(name, 'utf8');
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += 90) {
    const last = at + 90 >= bytes.length;
    parts.push(susp('NM', Buffer.from([last ? 0 : 1]), bytes.subarray(at, at + 90)));
  }
  return parts;
}

function suspOf(node: Node): Buffer {
  const { entry, name } = node;
  const mode = entry === null ? FOLDER_MODE : (entry.mode ?? (entry.link === undefined ? FILE_MODE : 0o120777));
  const parts = [...nameEntries(name), posix(mode)];
  if (entry?.link !== undefined) {
    const target = Buffer.from(entry.link, 'utf8');
    parts.push(susp('SL', Buffer.from([0]), Buffer.from([0, target.length]), target));
  }
  if (entry?.device) parts.push(susp('PN', both32(8), both32(0)));
  if (entry?.special) parts.push(susp(entry.special, both32(0)));
  return Buffer.concat(parts);
}

const ROOT_USE = Buffer.concat([susp('SP', Buffer.from([0xbe, 0xef, 0])), posix(FOLDER_MODE)]);

function record(name: Buffer, { sector, size }: { sector: number; size: number }, flags: number, use: Buffer): Buffer {
  const padded = name.length % 2 === 0 ? Buffer.concat([name, Buffer.alloc(1)]) : name;
  const head = Buffer.concat([
    both32(sector),
    both32(size),
    Buffer.from([126, 1, 1, 0, 0, 0, 0, flags, 0, 0]),
    both16(1),
    Buffer.from([name.length]),
  ]);
  const length = 2 + head.length + padded.length + use.length;
  const even = length % 2;
  return Buffer.concat([Buffer.from([length + even, 0]), head, padded, use, Buffer.alloc(even)]);
}

function codedName(names: Names, { name, short, entry }: Node): Buffer {
  if (names === 'joliet') return Buffer.from(entry ? `${name};1` : name, 'utf16le').swap16();
  if (names === 'plain') return Buffer.from(entry ? `${name.toUpperCase()};1` : name.toUpperCase(), 'latin1');
  return Buffer.from(short, 'latin1');
}

function folderBytes(names: Names, folder: Node): Buffer {
  const own = names === 'rock-ridge' && folder.parent === null ? ROOT_USE : Buffer.alloc(0);
  const records = [
    record(Buffer.from([0]), folder, 2, own),
    record(Buffer.from([1]), folder.parent ?? folder, 2, Buffer.alloc(0)),
    ...folder.children.map((child) =>
      record(
        codedName(names, child),
        child.entry?.extent ?? child,
        child.entry ? (child.entry.flags ?? 0) : 2,
        names === 'rock-ridge' ? suspOf(child) : Buffer.alloc(0),
      ),
    ),
  ];
  const sectors: Buffer[] = [];
  let filled: Buffer[] = [];
  let used = 0;
  const close = () => {
    sectors.push(...filled, Buffer.alloc(SECTOR - used));
    filled = [];
    used = 0;
  };
  for (const each of records) {
    if (used + each.length > SECTOR) close();
    filled.push(each);
    used += each.length;
  }
  close();
  return Buffer.concat(sectors);
}

function treeOf(entries: readonly Entry[]): Node {
  const node = (name: string, parent: Node | null, entry: Entry | null): Node => {
    const short = entry
      ? `F${(parent?.children.length ?? 0).toString().padStart(7, '0')}.;1`
      : `D${parent?.children.length ?? 0}`;
    return { name, entry, children: [], sector: 0, size: 0, parent, short };
  };
  const root = node('', null, null);
  for (const entry of entries) {
    let at = root;
    for (const name of entry.path.slice(0, -1)) {
      let next = at.children.find((child) => child.name === name && child.entry === null);
      if (!next) {
        next = node(name, at, null);
        at.children.push(next);
      }
      at = next;
    }
    at.children.push(node(entry.path.at(-1)!, at, entry));
  }
  return root;
}

function descriptor(type: number, root: Node, sectors: number, sequence: string): Buffer {
  const bytes = Buffer.alloc(SECTOR);
  bytes[0] = type;
  bytes.write('CD001', 1, 'latin1');
  bytes[6] = 1;
  bytes.write(sequence, 88, 'latin1');
  both32(sectors).copy(bytes, 80);
  both16(1).copy(bytes, 120);
  both16(1).copy(bytes, 124);
  both16(SECTOR).copy(bytes, 128);
  record(Buffer.from([0]), root, 2, Buffer.alloc(0)).copy(bytes, 156);
  return bytes;
}

const walk = (node: Node): Node[] => [node, ...node.children.flatMap(walk)];
const up = (bytes: number): number => Math.ceil(bytes / SECTOR);

/** The bytes of an image. Files of Joliet images are only in Joliet's tree; the base tree is empty. */
export function makeIso(entries: readonly Entry[], names: Names = 'rock-ridge'): Buffer {
  const root = treeOf(entries);
  const empty = treeOf([]);
  const trees: [Names, Node][] =
    names === 'joliet'
      ? [
          ['plain', empty],
          ['joliet', root],
        ]
      : [[names, root]];
  const blocks: { sector: number; bytes: () => Buffer }[] = [];
  let next = 16 + trees.length + 1;
  const place = (node: Node, size: number, bytes: () => Buffer) => {
    node.sector = next;
    node.size = size;
    blocks.push({ sector: next, bytes });
    next += up(size);
  };
  for (const [coding, tree] of trees) {
    for (const node of walk(tree).filter(({ entry }) => entry === null)) {
      // Sizes of records do not depend on where they point.
      place(node, folderBytes(coding, node).length, () => folderBytes(coding, node));
    }
    for (const node of walk(tree).filter(({ entry }) => entry !== null)) {
      const content = node.entry!.content ?? Buffer.alloc(0);
      place(node, content.length, () => content);
    }
  }
  const image = Buffer.alloc(Math.max(next, 24) * SECTOR);
  trees.forEach(([coding, tree], at) => {
    const sequence = coding === 'joliet' ? '%/E' : '';
    descriptor(coding === 'joliet' ? 2 : 1, tree, next, sequence).copy(image, (16 + at) * SECTOR);
  });
  image[(16 + trees.length) * SECTOR] = 255;
  image.write('CD001', (16 + trees.length) * SECTOR + 1, 'latin1');
  for (const { sector, bytes } of blocks) bytes().copy(image, sector * SECTOR);
  return image;
}

export const BOOT_CONFIG = `bootstate=0
title=Loading VMware ESXi 8.0.3 installer
timeout=5
prefix=
kernel=/b.b00
kernelopt=runweasel cdromBoot systemMediaSize=small
modules=/jumpstrt.gz --- /useropts.gz --- /k.b00 --- /s.v00
build=8.0.3-0.0.24022510
updated=0
`;

/** Files of a small image that has all that an installer's image has. `bios`: with what starts it over a network. */
export function esxiEntries({ bios = false, config = BOOT_CONFIG } = {}): Entry[] {
  const file = (path: string, content: string | Buffer): Entry => ({
    path: path.split('/'),
    content: Buffer.from(content),
  });
  return [
    file('boot.cfg', config),
    file('efi/boot/boot.cfg', config),
    file('efi/boot/bootx64.efi', `MZ${'loader '.repeat(300)}`),
    file('mboot.c32', `\u007fELF${'c32 '.repeat(100)}`),
    ...(bios ? [file('pxelinux.0', 'pxelinux '.repeat(100))] : []),
    file('b.b00', 'kernel '.repeat(1_000)),
    file('jumpstrt.gz', 'jump'),
    file('useropts.gz', ''),
    file('k.b00', 'k'.repeat(5_000)),
    file('s.v00', Buffer.alloc(100_000, 's')),
    file(
      'vib20/vmware-esx-esxcli-nvme-plugin/VMware_bootbank_vmware-esx-esxcli-nvme-plugin_1.2.0.52-2vmw.803.0.0.24022510.vib',
      'vib',
    ),
    file('upgrade/metadata.zip', 'zip'),
  ];
}

export const writeIso = (path: string, entries: readonly Entry[], names?: Names): Promise<void> =>
  writeFile(path, makeIso(entries, names));
