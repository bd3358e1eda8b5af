// The files that a descriptor refers to, each with the members that hold its bytes.
import type { OvaMember } from './archive.ts';
import { OvaFault } from './fault.ts';
import { plainName } from './member-name.ts';
import type { OvaPackage, OvfDescriptor, OvfFile } from './types.ts';

export interface UploadFile {
  file_id: string;
  /** As in the References, which is also the path that a target names. */
  href: string;
  /** One, or the chunks in their order. */
  members: OvaMember[];
  /** Bytes of all members together, as they are stored. */
  size: number;
  /** With gzip the members hold compressed bytes; what a target gets is their expansion. */
  compression: 'gzip' | null;
}

/** In the order of the References. @throws OvaFault reference_…, chunk_…, disk_file_… */
export function uploadMembers(of: Pick<OvaPackage, 'members' | 'descriptor'>): UploadFile[] {
  const members = new Map(of.members.map((member) => [member.name, member]));
  requireOnce(of.descriptor.files.map(({ id }) => id));
  requireOnce(of.descriptor.files.map(({ href }) => plainName(href)));
  const pieces = Map.groupBy(members.keys(), (name) => (/\.\d{9}$/.test(name) ? name.slice(0, -10) : null));
  const uploads = of.descriptor.files.map((file) => uploadOf(file, members, pieces));
  // By the percent-encoding one member has many references.
  requireOnce(uploads.map((upload) => upload.members[0]!.name));
  requireDisks(of.descriptor, uploads);
  return uploads;
}

/** Name → names of the chunks that are there of it. */
type Pieces = ReadonlyMap<string | null, readonly string[]>;

function uploadOf(file: OvfFile, members: ReadonlyMap<string, OvaMember>, pieces: Pieces): UploadFile {
  const { id: file_id, href, compression } = file;
  const whole = memberOf(href, members);
  // Some builders say a chunk size also of a file that was not cut.
  const parts = whole && !chunk(href, 0, members) ? [whole] : chunksOf(file, members, pieces);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  // Whether the size of a compressed file is that before or after, its builders don’t agree.
  if (file.size !== null && compression === null && file.size !== size) throw new OvaFault('reference_size', href);
  return { file_id, href, members: parts, size, compression };
}

/** By the reference as it is, or with its percent-encoding undone. */
function memberOf(href: string, members: ReadonlyMap<string, OvaMember>): OvaMember | undefined {
  if (/^(?:[A-Za-z][A-Za-z0-9+.-]*:|\/|\\)|(?:^|\/)\.\.(?:\/|$)/.test(href))
    throw new OvaFault('reference_external', href);
  const name = plainName(href);
  return members.get(name) ?? members.get(unescaped(name));
}

function unescaped(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

/** `href.000000000`, `.000000001`, … without a gap, all but the last of the size in the descriptor. */
function chunksOf({ href, chunk_size }: OvfFile, members: ReadonlyMap<string, OvaMember>, pieces: Pieces): OvaMember[] {
  const chunks: OvaMember[] = [];
  for (let part = chunk(href, 0, members); part; part = chunk(href, chunks.length, members)) chunks.push(part);
  const names = new Set([plainName(href), unescaped(plainName(href))]);
  const there = [...names].reduce((sum, name) => sum + (pieces.get(name)?.length ?? 0), 0);
  if (there > chunks.length) throw new OvaFault('chunk_missing', href);
  if (chunks.length === 0) throw new OvaFault('reference_missing', href);
  const fits = (size: number, last: boolean): boolean => (last ? size <= chunk_size! : size === chunk_size);
  if (chunk_size !== null && !chunks.every(({ size }, n) => fits(size, n === chunks.length - 1))) {
    throw new OvaFault('chunk_size', href);
  }
  return chunks;
}

const chunk = (href: string, n: number, members: ReadonlyMap<string, OvaMember>): OvaMember | undefined =>
  memberOf(`${href}.${String(n).padStart(9, '0')}`, members);

function requireOnce(all: readonly string[]): void {
  const seen = new Set<string>();
  for (const one of all) {
    if (seen.has(one)) throw new OvaFault('reference_duplicate', one);
    seen.add(one);
  }
}

/** Several disks may come from one file; each file that they name has to be there and hold something. */
function requireDisks({ disks }: OvfDescriptor, uploads: readonly UploadFile[]): void {
  const files = new Map(uploads.map((upload) => [upload.file_id, upload]));
  for (const { disk_id, file_ref } of disks) {
    if (file_ref === null) continue;
    const file = files.get(file_ref);
    if (!file) throw new OvaFault('disk_file_missing', disk_id);
    if (file.size === 0) throw new OvaFault('disk_file_empty', disk_id);
  }
}
