// A valid OVA that looks like that of an SDDC Manager, small or of many GiB, written in one pass.
import { createCipheriv, createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { descriptorXml, type MadeDescriptor, type MadeOption, type MadeProduct } from './make-ova/descriptor.ts';
import { EULA, sddcManagerProducts } from './make-ova/sddc-properties.ts';
import { BLOCK, padding, paxHeader, type TarFormat, tarEnd, tarHeader } from './make-ova/tar.ts';

export { EULA, sddcManagerAnswers, sddcManagerProducts } from './make-ova/sddc-properties.ts';

export interface MadeOvaDisk {
  /** The content itself, or `size` bytes of a pattern that differs every MiB and by `seed`. */
  bytes?: Buffer;
  size?: number;
  seed?: string;
  /** Name of the member; `<base>-disk<n>.vmdk` otherwise. */
  name?: string;
  /** What the machine sees: an amount and its unit. 64 GiB otherwise. */
  capacity?: string;
  units?: string;
  /** Cut into members of at most so many bytes: name.000000000, name.000000001, … */
  chunk_size?: number;
  /** Only said in the References: the bytes go in as they are. */
  compression?: 'gzip';
}

export interface OvaRecipe {
  path: string;
  disks?: MadeOvaDisk[];
  /** Base name of the members and of the virtual machine. */
  name?: string;
  properties?: MadeProduct[] | 'vami' | 'plain';
  /** Null: without an agreement. */
  eula?: string | null;
  options?: MadeOption[];
  networks?: { name: string; description: string }[];
  algorithm?: 'sha1' | 'sha256' | 'sha512';
  /** How member headers are written; sizes from 8 GiB on are base-256, or a pax record with `pax`. */
  format?: Extract<TarFormat, 'ustar' | 'gnu' | 'pax'>;
  /** Manifest (and certificate) behind the disks, as the specification also allows. */
  manifest_last?: boolean;
  manifest_line?: (algorithm: string, name: string, hex: string) => string;
  /** A .cert member behind the manifest, of the same length whatever the manifest says. */
  certificate?: (manifest: string, name: string) => string;
  /** Last word on the descriptor's text. */
  descriptor?: (xml: string) => string;
}

export interface MadeOva {
  path: string;
  size: number;
  descriptor_xml: string;
  manifest: string;
  /** In the archive's order, without manifest and certificate. `hex` in the recipe's algorithm. */
  members: { name: string; size: number; hex: string }[];
}

const MIB = 1024 * 1024;

/** Writes the OVA, one disk of 1 MiB unless told otherwise, at several hundred MB/s. Replaces what stands at `path`. */
export async function makeOva(recipe: OvaRecipe): Promise<MadeOva> {
  const name = recipe.name ?? 'VCF-SDDC-Manager-Appliance-9.1.0.0.24962180';
  const algorithm = recipe.algorithm ?? 'sha256';
  const disks = (recipe.disks ?? [{ size: MIB }]).map((disk, n) => ({
    ...disk,
    name: disk.name ?? `${name}-disk${n + 1}.vmdk`,
    size: disk.bytes?.length ?? disk.size ?? MIB,
  }));
  const descriptor = descriptorXml(made(recipe, name, disks));
  const descriptor_xml = recipe.descriptor?.(descriptor) ?? descriptor;
  const parts = [
    { name: `${name}.ovf`, size: Buffer.byteLength(descriptor_xml), pieces: () => [Buffer.from(descriptor_xml)] },
    ...disks.flatMap(chunksOf),
  ];
  const line = recipe.manifest_line ?? ((kind, of, hex) => `${kind}(${of})= ${hex}\n`);
  const manifestOf = (members: { name: string; hex: string }[]): string =>
    members.map((member) => line(algorithm.toUpperCase(), member.name, member.hex)).join('');
  const blank = createHash(algorithm).digest('hex').replace(/./g, '0');
  const blank_manifest = manifestOf(parts.map((part) => ({ name: part.name, hex: blank })));
  const manifest_size = Buffer.byteLength(blank_manifest);

  const file = await open(recipe.path, 'w');
  try {
    const out = new Tar(file, recipe.format ?? 'ustar');
    const members: MadeOva['members'] = [];
    let manifest_at = 0;
    let certificate_at = 0;
    const leaveRoom = async (): Promise<void> => {
      manifest_at = await out.member(`${name}.mf`, manifest_size, [Buffer.alloc(manifest_size)]);
      if (recipe.certificate === undefined) return;
      const room = Buffer.from(recipe.certificate(blank_manifest, `${name}.mf`));
      certificate_at = await out.member(`${name}.cert`, room.length, [room]);
    };
    for (const [n, part] of parts.entries()) {
      const hash = createHash(algorithm);
      await out.member(part.name, part.size, part.pieces(), hash);
      members.push({ name: part.name, size: part.size, hex: hash.digest('hex') });
      if (n === 0 && !recipe.manifest_last) await leaveRoom();
    }
    if (recipe.manifest_last) await leaveRoom();
    await out.put(tarEnd());
    const manifest = manifestOf(members);
    await file.write(Buffer.from(manifest), 0, manifest_size, manifest_at);
    if (recipe.certificate) await file.write(recipe.certificate(manifest, `${name}.mf`), certificate_at);
    return { path: recipe.path, size: out.at, descriptor_xml, manifest, members };
  } finally {
    await file.close();
  }
}

type NamedDisk = MadeOvaDisk & { name: string; size: number };

function made(recipe: OvaRecipe, name: string, disks: NamedDisk[]): MadeDescriptor {
  const { properties, eula } = recipe;
  return {
    name,
    files: disks.map((disk, n) => ({
      id: `file${n + 1}`,
      href: disk.name,
      size: disk.size,
      ...(disk.compression ? { compression: disk.compression } : {}),
      ...(disk.chunk_size ? { chunk_size: disk.chunk_size } : {}),
    })),
    disks: disks.map((disk, n) => ({
      id: `vmdisk${n + 1}`,
      file_id: `file${n + 1}`,
      capacity: disk.capacity ?? '64',
      units: disk.units ?? 'byte * 2^30',
      populated: disk.size,
    })),
    products: Array.isArray(properties) ? properties : sddcManagerProducts(properties ?? 'vami'),
    networks: recipe.networks ?? [{ name: 'Network 1', description: 'The Network 1 network' }],
    eulas: eula === null ? [] : [eula ?? EULA],
    options: recipe.options ?? [],
    annotation: 'Manages the private cloud.',
  };
}

interface Part {
  name: string;
  size: number;
  pieces(): Iterable<Buffer>;
}

function chunksOf(disk: NamedDisk): Part[] {
  const each = disk.chunk_size ?? 0;
  if (each === 0) return [{ name: disk.name, size: disk.size, pieces: () => content(disk, 0, disk.size) }];
  return Array.from({ length: Math.ceil(disk.size / each) }, (_, n) => {
    const [from, to] = [n * each, Math.min((n + 1) * each, disk.size)];
    return {
      name: `${disk.name}.${String(n).padStart(9, '0')}`,
      size: to - from,
      pieces: () => content(disk, from, to),
    };
  });
}

/** Bytes [from, to) of a disk in pieces; a piece is overwritten by the next. */
function* content(disk: NamedDisk, from: number, to: number): Generator<Buffer> {
  if (disk.bytes) {
    yield disk.bytes.subarray(from, to);
    return;
  }
  const block = patternBlock(disk.seed ?? disk.name);
  for (let at = from; at < to; ) {
    block.writeBigUInt64LE(BigInt(Math.floor(at / MIB)), 0);
    const start = at % MIB;
    const end = Math.min(MIB, start + (to - at));
    yield block.subarray(start, end);
    at += end - start;
  }
}

/** 1 MiB that compresses badly and is the same for the same seed: a key stream. */
function patternBlock(seed: string): Buffer {
  const key = createHash('sha256').update(seed).digest();
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(MIB));
}

class Tar {
  readonly #file: FileHandle;
  readonly #format: TarFormat;
  at = 0;

  constructor(file: FileHandle, format: TarFormat) {
    this.#file = file;
    this.#format = format;
  }

  /** Writes one member and answers where its data begin. */
  async member(name: string, size: number, pieces: Iterable<Buffer>, hash?: Hash): Promise<number> {
    const format = this.#format;
    if (format === 'pax') {
      await this.put(paxHeader([['path', name], ...(size > 0o77777777777 ? [['size', String(size)] as const] : [])]));
    }
    await this.put(tarHeader({ name, size: format === 'pax' && size > 0o77777777777 ? 0 : size, format }));
    const start = this.at;
    for (const piece of pieces) {
      hash?.update(piece);
      await this.put(piece);
    }
    if (this.at !== start + size) throw new Error(`${name} was to have ${size} bytes, not ${this.at - start}`);
    if (size % BLOCK !== 0) await this.put(padding(size));
    return start;
  }

  async put(bytes: Buffer): Promise<void> {
    await this.#file.write(bytes, 0, bytes.length, this.at);
    this.at += bytes.length;
  }
}
