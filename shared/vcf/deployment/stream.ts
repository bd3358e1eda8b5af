// The disks of an OVA on their way to the host: member after member in the order that the target gave, as fast as it
// takes them, never more than a few pieces in memory.
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { openMember } from '../../ground/ova/open.ts';
import type { OvaPackage } from '../../ground/ova/types.ts';
import { uploadMembers } from '../../ground/ova/uploads.ts';
import { Problem } from '../../ground/problems.ts';
import type { ImportFile } from '../vsphere/import.ts';
import { type UploadPlace, uploadFile } from '../vsphere/upload-host.ts';
import { MemberPieces, PIECE_BYTES } from './pieces.ts';

export type UploadMember = ReturnType<typeof uploadMembers>[number];

export interface Sent {
  device_id: string;
  /** As the References have it. */
  path: string;
  /** Bytes that were read of the package. */
  bytes: number;
}

export interface Streaming {
  pkg: OvaPackage;
  files: readonly ImportFile[];
  /** A connection of its own for each file. @throws Problem when the place may not be used */
  to(file: ImportFile): Promise<UploadPlace>;
  signal: AbortSignal;
  /** Bytes of all files so far, often. */
  onProgress(done: number): void;
  /** After each file. */
  onSent?(sent: Sent): void | Promise<void>;
}

/**
 * The files to send, paired with the places of the target, in its order.
 * @throws Problem for a file that the package does not have, or that the target wants more often than there are disks
 * of
 *   it. The target's own text is not repeated.
 */
export function pairs(pkg: OvaPackage, files: readonly ImportFile[]): { file: ImportFile; member: UploadMember }[] {
  const members = uploadMembers(pkg);
  const known = new Map(members.map((member) => [member.href, member]));
  const asked = new Map<string, number>();
  const devices = new Set<string>();
  return files.map((file, index) => {
    const member = known.get(file.path);
    const which = `file ${index + 1} of ${files.length}`;
    if (!member) throw unusable(`The target asks for a file that the OVA does not have (${which}).`);
    const times = (asked.get(file.path) ?? 0) + 1;
    asked.set(file.path, times);
    const disks = pkg.descriptor.disks.filter(({ file_ref }) => file_ref === member.file_id).length;
    if (times > Math.max(1, disks) || devices.has(file.device_id)) {
      throw unusable(`The target asks for ${member.href} more often than the OVA uses it (${which}).`);
    }
    devices.add(file.device_id);
    return { file, member };
  });
}

const unusable = (text: string): Problem => new Problem('remote_answer_unusable', text);

/** Bytes that are read for all of it. */
export const bytesOf = (all: readonly { member: UploadMember }[]): number =>
  all.reduce((sum, { member }) => sum + storedBytes(member), 0);

const storedBytes = ({ members }: UploadMember): number => members.reduce((sum, { size }) => sum + size, 0);

/** Sends all files, one after the other. @throws Problem, and the signal's reason */
export async function streamMembers({ pkg, files, to, signal, onProgress, onSent }: Streaming): Promise<Sent[]> {
  const sent: Sent[] = [];
  let before = 0;
  for (const { file, member } of pairs(pkg, files)) {
    signal.throwIfAborted();
    const size = member.compression === null ? storedBytes(member) : await unpackedBytes(pkg, member, signal);
    const place = await to(file);
    try {
      const body = bodyOf(pkg, member);
      // Of a packed file the bytes are other ones: it counts by its share.
      const share = size === 0 ? 0 : storedBytes(member) / size;
      await uploadFile(
        place,
        { body, size, create: file.create },
        { signal, onProgress: (bytes) => onProgress(before + Math.round(bytes * share)) },
      );
    } finally {
      place.client.close();
    }
    before += storedBytes(member);
    onProgress(before);
    const one = { device_id: file.device_id, path: file.path, bytes: storedBytes(member) };
    sent.push(one);
    await onSent?.(one);
  }
  return sent;
}

/** Bytes that a packed file unpacks to, without keeping any: a target wants to know them beforehand. */
async function unpackedBytes(pkg: OvaPackage, member: UploadMember, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  for await (const piece of bodyOf(pkg, member) as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    bytes += piece.length;
  }
  return bytes;
}

/** The chunks of a file as one stream, unpacked. */
function bodyOf(pkg: OvaPackage, { members, compression }: UploadMember): Readable {
  if (compression === null) return new MemberPieces(pkg, members);
  const packed = Readable.from(packedPieces(pkg, members), { objectMode: false });
  const unpacked = createGunzip({ chunkSize: PIECE_BYTES });
  packed.on('error', (error) => unpacked.destroy(error));
  unpacked.on('close', () => packed.destroy());
  return packed.pipe(unpacked);
}

async function* packedPieces(pkg: OvaPackage, members: UploadMember['members']) {
  for (const { name } of members) yield* openMember(pkg, name) as AsyncIterable<Buffer>;
}
