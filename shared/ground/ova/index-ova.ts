// An OVA by its headers, manifest and descriptor: everything but the hashing of its disks, in a few milliseconds.
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { type OvaMember, readArchive } from './archive.ts';
import { readDescriptorInParts } from './descriptor.ts';
import { OvaFault, type OvaFaultCode } from './fault.ts';
import { OVA_LIMITS } from './limits.ts';
import { type Digest, readManifest } from './manifest.ts';
import { type FileState, openOva, readExactly, requireUnchanged } from './ova-file.ts';
import { readSignature } from './signature.ts';
import type { OvaPackage } from './types.ts';
import { type UploadFile, uploadMembers } from './uploads.ts';

/**
 * For forms and pre-flights: seeks over the disks. The descriptor is held against the manifest, the disks are not.
 * @throws OvaFault; the reason of `signal`
 */
export async function indexOva(path: string, signal?: AbortSignal): Promise<OvaPackage> {
  const { file, state } = await openOva(path);
  try {
    const ova = await readPackage(file, path, state, signal);
    await requireUnchanged(file, state);
    return ova;
  } finally {
    await file.close();
  }
}

/** @throws OvaFault */
export async function readPackage(
  file: FileHandle,
  path: string,
  state: FileState,
  signal?: AbortSignal,
): Promise<OvaPackage> {
  const members = await readArchive(file, state.size, signal);
  const ovf = only(members, /\.ovf$/i, 'descriptor_missing', 'descriptor_several');
  const mf = only(members, /\.mf$/i, 'manifest_missing', 'manifest_several');
  const signed = { name: mf.name, bytes: await small(file, mf, OVA_LIMITS.manifest, 'manifest_too_large') };
  const manifest = readManifest(signed.bytes);
  // What the manifest lists is a file like any other: nothing can sign its own digest.
  const cert = members.find(({ name }) => /\.cert$/i.test(name) && !manifest.has(name)) ?? null;
  const signature =
    cert && readSignature(await small(file, cert, OVA_LIMITS.signature, 'certificate_too_large'), signed);
  const certificate = cert?.name ?? null;
  const bytes = await small(file, ovf, OVA_LIMITS.descriptor, 'descriptor_too_large');
  requireDigest(ovf.name, bytes, manifest);
  const { descriptor, text } = await readDescriptorInParts(bytes, signal);
  const uploads = uploadMembers({ members, descriptor });
  requireCovered({ members, manifest, uploads, unsigned: [mf.name, certificate] });
  await requireCompressed(file, uploads);
  return { path, ...state, members, descriptor, descriptor_xml: text, manifest, certificate, signature };
}

function only(members: OvaMember[], names: RegExp, none: OvaFaultCode, several: OvaFaultCode): OvaMember {
  const [first, second] = members.filter(({ name }) => names.test(name));
  if (!first) throw new OvaFault(none);
  if (second) throw new OvaFault(several);
  return first;
}

async function small(file: FileHandle, member: OvaMember, most: number, fault: OvaFaultCode): Promise<Buffer> {
  if (member.size > most) throw new OvaFault(fault, most);
  return readExactly(file, Buffer.alloc(member.size), member.offset);
}

/** Called before the descriptor is parsed. */
function requireDigest(name: string, bytes: Buffer, manifest: ReadonlyMap<string, Digest>): void {
  const said = manifest.get(name);
  if (!said) throw new OvaFault('manifest_incomplete', name);
  if (createHash(said.algorithm).update(bytes).digest('hex') !== said.hex) throw new OvaFault('digest_mismatch', name);
}

interface Coverage {
  members: OvaMember[];
  manifest: ReadonlyMap<string, Digest>;
  uploads: UploadFile[];
  unsigned: (string | null)[];
}

/**
 * The manifest has to list every member and every referenced file. A file in the manifest alone is hashed, but never
 * sent.
 */
function requireCovered({ members, manifest, uploads, unsigned }: Coverage): void {
  const there = new Set(members.map(({ name }) => name));
  for (const name of manifest.keys()) if (!there.has(name)) throw new OvaFault('manifest_unknown', name);
  for (const { name } of uploads.flatMap((upload) => upload.members)) {
    if (!manifest.has(name)) throw new OvaFault('manifest_incomplete', name);
  }
  const stray = members.find(({ name }) => !manifest.has(name) && !unsigned.includes(name));
  if (stray) throw new OvaFault('member_unreferenced', stray.name);
}

/** Files that are declared as gzip have to begin like gzip. */
async function requireCompressed(file: FileHandle, uploads: UploadFile[]): Promise<void> {
  for (const { href, members, compression } of uploads) {
    const first = members[0];
    if (compression === null || !first) continue;
    const start = await readExactly(file, Buffer.alloc(Math.min(2, first.size)), first.offset);
    if (start.toString('hex') !== '1f8b') throw new OvaFault('compression_false', href);
  }
}
