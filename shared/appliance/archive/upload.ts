// An archive that is uploaded to be restored: in pieces, or whole from a form. Its bytes go to a file for the service alone.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { instant } from '../../ground/clock.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { endAbandoned, UPLOAD_HOURS } from '../../platform/uploads/abandoned.ts';
import { lastPieceAt, type Piece, receivePiece } from '../../platform/uploads/pieces.ts';
import { refuseFull } from '../../platform/uploads/room.ts';
import { archiveFile, archiveFolder, findArchive, type KeptArchive, oldUploads, removeArchive } from './kept.ts';
import { MANIFEST_NAME } from './manifest.ts';
import { isPlain } from './plain/document.ts';

export const UNNAMED = 'uploaded.gcarchive';

const NO_ROOM = 'The disk has no room for this archive. Nothing was saved.';

/** Makes the folder. @throws Problem 507 */
export async function refuseNoRoom({ settings }: Pick<Services, 'settings'>, size: number): Promise<void> {
  const folder = archiveFolder(settings);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await refuseFull(folder, size, NO_ROOM);
}

/** Answers the bytes that have arrived. See receivePiece in shared/platform/uploads/pieces.ts. */
export function receiveArchive(services: Pick<Services, 'settings'>, id: string, piece: Piece): Promise<number> {
  const into = {
    path: archiveFile(services.settings, id),
    noun: 'archive',
    makeFolder: async () => void (await mkdir(archiveFolder(services.settings), { recursive: true, mode: 0o700 })),
    refuseFull: (needed: number) => refuseFull(archiveFolder(services.settings), needed, NO_ROOM),
  };
  return receivePiece(into, piece);
}

/** What the file is, by its first bytes; null: no archive. */
export async function encryptionOf(file: string): Promise<KeptArchive['encryption'] | null> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0);
    return encryptionIn(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

export function encryptionIn(bytes: Buffer): KeptArchive['encryption'] | null {
  const head = bytes.toString('latin1', 0, 512);
  if (head.startsWith('age-encryption.org/v1\n')) return head.includes('\n-> scrypt ') ? 'passphrase' : 'recipients';
  return head.startsWith(`${MANIFEST_NAME}\0`) || isPlain(bytes) ? 'none' : null;
}

export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

type Needed = Pick<Services, 'settings' | 'store' | 'clock' | 'keys' | 'entropy'>;

/** Gives up uploads to which nothing came for a day. Answers their ids. */
export function endArchiveUploads(services: Needed): Promise<string[]> {
  const { settings, store } = services;
  return endAbandoned(services, {
    old: (before, beyond) => oldUploads(store, instant(before), instant(beyond)),
    lastPieceAt: (id) => lastPieceAt(archiveFile(settings, id)),
    async giveUp(tx, id) {
      const { state, name } = await findArchive(tx, id);
      if (state !== 'receiving') return null;
      await removeArchive(tx, id);
      const detail = { name, fault: `Nothing came for ${UPLOAD_HOURS} hours.` };
      return { action: 'archive.upload.expired', resource_type: 'archive', detail };
    },
    drop: (id) => rm(archiveFile(settings, id), { force: true }),
  });
}
