// Compressed disks, unpacked once without keeping anything: damage and bombs show before the first byte is sent.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { OvaFault } from './fault.ts';
import { openMember } from './open.ts';
import type { OvaPackage } from './types.ts';
import { type UploadFile, uploadMembers } from './uploads.ts';

/** What a disk format may take beside the disk's capacity: its header, tables and padding. */
const SLACK = 64 * 1024 * 1024;
const SLACK_SHARE = 1 / 16;

/** @throws OvaFault gzip_bomb, gzip_damaged, file_changed */
export async function requireExpansion(ova: OvaPackage, signal?: AbortSignal): Promise<void> {
  for (const upload of uploadMembers(ova)) {
    if (upload.compression === null) continue;
    const most = mostBytes(ova, upload);
    let bytes = 0;
    try {
      await pipeline(
        Readable.from(pieces(ova, upload), { objectMode: false }),
        createGunzip({ chunkSize: 256 * 1024 }),
        async (unpacked: AsyncIterable<Buffer>) => {
          for await (const piece of unpacked) {
            bytes += piece.length;
            if (bytes > most) throw new OvaFault('gzip_bomb', upload.href);
          }
        },
        signal ? { signal } : {},
      );
    } catch (error) {
      signal?.throwIfAborted();
      throw isZlib(error) ? new OvaFault('gzip_damaged', upload.href) : error;
    }
  }
}

/**
 * A file without a disk, or with a disk whose size is a property, may have as much as all disks of known size together.
 */
function mostBytes({ descriptor }: OvaPackage, { file_id }: UploadFile): number {
  const own = descriptor.disks.filter(({ file_ref }) => file_ref === file_id).map((disk) => disk.capacity_bytes);
  const known = own.length > 0 && !own.includes(null) ? own : descriptor.disks.map((disk) => disk.capacity_bytes);
  const largest = Math.max(0, ...known.map((bytes) => bytes ?? 0));
  return largest * (1 + SLACK_SHARE) + SLACK;
}

async function* pieces(ova: OvaPackage, { members }: UploadFile): AsyncGenerator<Buffer> {
  for (const { name } of members) yield* openMember(ova, name);
}

const isZlib = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  /^(?:Z_|ERR_TRAILING_JUNK)/.test(String(error.code));
