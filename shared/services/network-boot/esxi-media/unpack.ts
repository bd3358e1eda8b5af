// From a source to an unpacked medium: every file is copied, with its digest, into a temporary folder, which gets its
// final name in one step. Unfinished folders are made again; finished ones are never touched.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '../../../ground/machine/durable-file.ts';
import type { Host } from '../../../ground/machine/host.ts';
import { LIMITS, MediaFault, shown } from './limits.ts';
import {
  contentPath,
  type IndexedFile,
  indexPath,
  type MediaIndex,
  makeMediaFolder,
  mediaFolder,
  mediumFolder,
  readIndex,
  unpackingFolder,
} from './media-folder.ts';
import { folded, refuseUnfit } from './member-path.ts';
import { refuseFull } from './room.ts';
import { parseBootConfig, productOf, refuseIncomplete, type ShippedConfig } from './shipped-config.ts';
import type { MediaSource, Member } from './source.ts';

/** What is stored of a medium besides its files. */
export interface UnpackedMedium {
  product: string;
  /** Bytes of all files. */
  size_bytes: number;
  file_count: number;
  /** SHA-256 over paths, sizes and contents; hexadecimal. */
  content_digest: string;
  /** Files that a firmware starts; null: it can't start this medium. */
  loaders: { efi: string | null; bios: string | null };
  boot_config: ShippedConfig;
}

export interface UnpackOptions {
  host: Pick<Host, 'resolve'>;
  id: string;
  /** Share of the bytes that are copied, 0 to 1; between files it may throw to stop. */
  progress?: (share: number) => Promise<void>;
}

/** Paths of boot.cfg in an ESXi image, best first. */
const CONFIGS = ['boot.cfg', 'efi/boot/boot.cfg'];
const EFI_LOADERS = ['mboot.efi', 'efi/boot/mboot.efi', 'efi/boot/bootx64.efi'];
/**
 * An image boots BIOS by isolinux, which can't start over a network: an administrator can add pxelinux to the folder.
 */
const BIOS_LOADERS = ['pxelinux.0'];

/**
 * Unpacks a medium, or finds it unpacked by a run that was cut off after its last step.
 * @throws MediaFault when the source is refused; Problem 507 when there is no room.
 */
export async function unpack(source: MediaSource, { host, id, progress }: UnpackOptions): Promise<UnpackedMedium> {
  const final = mediumFolder(host, id);
  const ready = await readIndex(final);
  if (ready) return described(final, ready);
  const members = await source.members();
  refuseUnfit(members);
  const total = members.reduce((sum, { size }) => sum + size, 0);
  await makeMediaFolder(host);
  await refuseFull(host, total);
  const folder = unpackingFolder(host, id);
  await rm(folder, { recursive: true, force: true });
  const folders = new Set([folder]);
  const files: IndexedFile[] = [];
  let copied = 0;
  for (const member of members) {
    await progress?.(total === 0 ? 1 : copied / total);
    const target = contentPath(folder, member.path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    for (let above = dirname(target); above.length >= folder.length; above = dirname(above)) folders.add(above);
    files.push({ path: member.path, size: member.size, sha256: await copy(member, target) });
    copied += member.size;
  }
  const index: MediaIndex = { version: 1, content_digest: digestOf(files), files };
  // Before the folder gets its name: a medium without a usable boot.cfg is refused.
  const medium = await described(folder, index);
  await writeDurably(indexPath(folder), JSON.stringify(index));
  for (const each of folders) await syncFolder(each);
  await rename(folder, final);
  await syncFolder(mediaFolder(host));
  return medium;
}

/** Copies one file and flushes it to the disk. Answers its SHA-256. */
async function copy({ path, size, open: read }: Member, target: string): Promise<string> {
  const hash = createHash('sha256');
  let seen = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      hash.update(chunk);
      done(seen > size ? new MediaFault(`${shown(path)} is longer than its listed size.`) : null, chunk);
    },
  });
  // `wx`: an existing name is an error, and no link is followed.
  await pipeline(read(), measure, createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }));
  if (seen !== size) throw new MediaFault(`${shown(path)} ends early.`);
  return hash.digest('hex');
}

async function writeDurably(target: string, text: string): Promise<void> {
  const handle = await open(target, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function digestOf(files: readonly IndexedFile[]): string {
  const hash = createHash('sha256');
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
  for (const { path, size, sha256 } of sorted) hash.update(`${path}\0${size}\0${sha256}\n`);
  return hash.digest('hex');
}

async function described(folder: string, { files, content_digest }: MediaIndex): Promise<UnpackedMedium> {
  const known = new Map(files.map((file) => [folded(file.path), file]));
  const first = (names: readonly string[]) => names.flatMap((name) => known.get(name) ?? [])[0] ?? null;
  const config = first(CONFIGS);
  if (!config) throw new MediaFault('The medium has no boot.cfg: it is no ESXi installer.');
  if (config.size > LIMITS.bootConfig) throw new MediaFault(`boot.cfg is larger than ${LIMITS.bootConfig} bytes.`);
  const boot_config = parseBootConfig(await readFile(contentPath(folder, config.path), 'utf8'));
  refuseIncomplete(boot_config, new Set(known.keys()));
  const loaders = { efi: first(EFI_LOADERS)?.path ?? null, bios: first(BIOS_LOADERS)?.path ?? null };
  if (loaders.efi === null && loaders.bios === null) throw new MediaFault('The medium has no boot loader.');
  const size_bytes = files.reduce((sum, { size }) => sum + size, 0);
  return {
    product: productOf(boot_config),
    size_bytes,
    file_count: files.length,
    content_digest,
    loaders,
    boot_config,
  };
}
