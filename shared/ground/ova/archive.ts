// The members of a tar archive by its headers alone: seeks over the data, reads a few KiB however large the file is.
import type { FileHandle } from 'node:fs/promises';
import { BLOCK, isZero } from '../tar/header.ts';
import { OvaFault, type OvaFaultCode } from './fault.ts';
import { OVA_LIMITS } from './limits.ts';
import { memberName, twinKey } from './member-name.ts';
import { readExactly } from './ova-file.ts';
import { type PaxRecords, readPax } from './pax.ts';
import { looksLikeHeader, readHeader, type TarHeader } from './tar-header.ts';

/** `offset` and `size` are those of the data within the file, in bytes. */
export interface OvaMember {
  name: string;
  offset: number;
  size: number;
}

const REFUSED_TYPES: Readonly<Record<string, OvaFaultCode>> = {
  1: 'member_hardlink',
  2: 'member_symlink',
  3: 'member_device',
  4: 'member_device',
  6: 'member_fifo',
  S: 'member_sparse',
};

const COMPRESSED: readonly (readonly [string, string])[] = [
  ['1f8b', 'gzip'],
  ['fd377a585a00', 'xz'],
  ['28b52ffd', 'zstd'],
  ['425a68', 'bzip2'],
  ['504b0304', 'zip'],
  ['377abcaf271c', '7-Zip'],
];

/** Largest size that the eleven digits of a header say. */
const LARGEST_OCTAL = 0o77777777777;
const AHEAD = 16 * 1024;

/**
 * All files of the archive in its order. Folders are passed over.
 * @throws OvaFault for anything that an OVA must not have
 */
export async function readArchive(file: FileHandle, size: number, signal?: AbortSignal): Promise<OvaMember[]> {
  const walk = new Walk(file, size, signal);
  await walk.requireTar();
  while (await walk.step());
  return walk.members;
}

/** Extended headers that wait for their member. */
interface Pending {
  pax: PaxRecords | null;
  long_name: Buffer | null;
  long_link: boolean;
}

const NOTHING: Pending = { pax: null, long_name: null, long_link: false };

class Walk {
  readonly members: OvaMember[] = [];
  readonly #file: FileHandle;
  readonly #size: number;
  readonly #signal: AbortSignal | undefined;
  readonly #names = new Map<string, string>();
  #at = 0;
  #count = 0;
  #extensions = 0;
  #globals = 0;
  #last = 'the start of the file';
  #pending: Pending = NOTHING;
  /** Bytes around the last header, for members close to one another. */
  #window = { at: 0, bytes: Buffer.alloc(0) };

  constructor(file: FileHandle, size: number, signal: AbortSignal | undefined) {
    this.#file = file;
    this.#size = size;
    this.#signal = signal;
  }

  async requireTar(): Promise<void> {
    if (this.#size === 0) throw new OvaFault('file_empty');
    const start = await this.#read(0, Math.min(BLOCK, this.#size));
    const hex = start.toString('hex', 0, 8);
    const compression = COMPRESSED.find(([magic]) => hex.startsWith(magic));
    if (compression) throw new OvaFault('archive_compressed', compression[1]);
    const empty = isZero(start) && this.#size % BLOCK === 0;
    if (!empty && (start.length < BLOCK || !looksLikeHeader(start))) throw new OvaFault('archive_not_tar');
  }

  /** Reads one header and moves behind its data. False at the end of the archive. */
  async step(): Promise<boolean> {
    this.#signal?.throwIfAborted();
    const left = this.#size - this.#at;
    if (left === 0) throw new OvaFault(this.#isPending() ? 'header_dangling' : 'end_missing', this.#last);
    if (left < BLOCK) throw new OvaFault('header_truncated', this.#last);
    const block = await this.#read(this.#at, BLOCK);
    if (isZero(block)) return this.#end();
    const header = readHeader(block, this.#last);
    if (++this.#count > 2 * OVA_LIMITS.members) throw new OvaFault('members_too_many', OVA_LIMITS.members);
    this.#at += BLOCK;
    if ('xgLK'.includes(header.type)) await this.#extend(header);
    else this.#member(header);
    return true;
  }

  async #extend(header: TarHeader): Promise<void> {
    const size = header.size();
    this.#extensions += size;
    if (size > OVA_LIMITS.extension || this.#extensions > OVA_LIMITS.extensions) {
      throw new OvaFault(
        'headers_too_large',
        size > OVA_LIMITS.extension ? OVA_LIMITS.extension : OVA_LIMITS.extensions,
      );
    }
    this.#requireRoom(size, 'extended header');
    const data = await this.#read(this.#at, size);
    this.#skip(size);
    if (header.type === 'g') this.#global(data);
    else if (header.type === 'x') {
      if (this.#pending.pax) throw new OvaFault('header_chain');
      this.#pending = { ...this.#pending, pax: readPax(data, this.#last) };
    } else if (header.type === 'L') {
      if (this.#pending.long_name) throw new OvaFault('header_chain');
      this.#pending = { ...this.#pending, long_name: data.at(-1) === 0 ? data.subarray(0, -1) : data };
    } else {
      if (this.#pending.long_link) throw new OvaFault('header_chain');
      this.#pending = { ...this.#pending, long_link: true };
    }
  }

  /** Comments and times may hold for all members, names and sizes not. */
  #global(data: Buffer): void {
    if (++this.#globals > 4) throw new OvaFault('header_chain');
    const records = readPax(data, this.#last);
    if (records.path) throw new OvaFault('pax_global', 'path');
    if (records.size !== null) throw new OvaFault('pax_global', 'size');
    if (records.linkpath) throw new OvaFault('pax_global', 'linkpath');
    if (records.sparse) throw new OvaFault('pax_global', 'GNU.sparse');
  }

  #member(header: TarHeader): void {
    const { pax, long_name, long_link } = this.#pending;
    this.#pending = NOTHING;
    const name = memberName(pax?.path ?? long_name ?? header.name);
    if (pax?.sparse) throw new OvaFault('member_sparse', name);
    const refused = REFUSED_TYPES[header.type];
    if (refused) throw new OvaFault(refused, name);
    if (long_link || pax?.linkpath) throw new OvaFault('member_symlink', name);
    if (!'057'.includes(header.type)) throw new OvaFault('member_kind', name);
    const folder = header.type === '5' || name === '' || name.endsWith('/');
    const size = this.#sizeOf(header, pax, name);
    if (folder && size > 0) throw new OvaFault('member_kind', name);
    this.#requireRoom(size, name);
    this.#addName(name);
    if (!folder) this.members.push({ name, offset: this.#at, size });
    this.#skip(size);
    this.#last = name;
  }

  #sizeOf(header: TarHeader, pax: PaxRecords | null, name: string): number {
    if (pax?.size === null || pax === null) return header.size();
    // Writers put anything into the field of a size that its digits can't say; a size that they can must agree.
    if (pax.size <= LARGEST_OCTAL && header.size() !== pax.size) throw new OvaFault('size_conflict', name);
    return pax.size;
  }

  #addName(name: string): void {
    if (this.#names.size >= OVA_LIMITS.members) throw new OvaFault('members_too_many', OVA_LIMITS.members);
    const key = twinKey(name);
    const other = this.#names.get(key);
    if (other !== undefined) throw new OvaFault(other === name ? 'name_duplicate' : 'name_case_twin', name);
    this.#names.set(key, name);
  }

  #requireRoom(size: number, name: string): void {
    if (size > this.#size - this.#at) throw new OvaFault('member_truncated', name);
  }

  /** Over data and their padding; a missing padding is a missing header. */
  #skip(size: number): void {
    this.#at += Math.ceil(size / BLOCK) * BLOCK;
    if (this.#at > this.#size) throw new OvaFault('header_truncated', this.#last);
  }

  /** Only zeros may follow the end mark, and no more than a record of tar. A single zero block ends an archive too. */
  async #end(): Promise<false> {
    if (this.#isPending()) throw new OvaFault('header_dangling');
    const left = this.#size - this.#at;
    if (left > OVA_LIMITS.padding || !isZero(await this.#read(this.#at, left))) throw new OvaFault('trailing_data');
    return false;
  }

  #isPending(): boolean {
    return this.#pending !== NOTHING;
  }

  async #read(at: number, length: number): Promise<Buffer> {
    const from = at - this.#window.at;
    if (from >= 0 && from + length <= this.#window.bytes.length)
      return this.#window.bytes.subarray(from, from + length);
    const bytes = Buffer.alloc(Math.min(Math.max(length, AHEAD), this.#size - at));
    await readExactly(this.#file, bytes, at);
    this.#window = { at, bytes };
    return bytes.subarray(0, length);
  }
}
