// An image that arrives in pieces: each is written where it belongs and has reached the disk before it is answered, so
// that a broken upload goes on from what is there.
import { constants } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import type { Host } from '../../host/host.ts';
import { Problem } from '../../operation/problems.ts';
import { makeMediaFolder, uploadPath } from './media-folder.ts';
import type { Announced } from './medium-store.ts';
import { refuseFull } from './room.ts';

/** Bytes of one piece. */
export const PIECE_MOST = 4 << 20;

type Resolver = Pick<Host, 'resolve'>;

/** Bytes that are there. */
export async function receivedBytes(host: Resolver, id: string): Promise<number> {
  try {
    return (await stat(uploadPath(host, id))).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** When the last piece came, milliseconds since 1970; null: none has. */
export async function lastPieceAt(host: Resolver, id: string): Promise<number | null> {
  return (await stat(uploadPath(host, id)).catch(() => null))?.mtimeMs ?? null;
}

/**
 * All that was announced and has not come yet has to fit beside a new image: announcing costs nothing, and each of ten
 * images that fit one by one would be told too late. @throws Problem 507
 */
export async function refuseBeyondRoom(host: Resolver, announced: readonly Announced[], size: number): Promise<void> {
  await makeMediaFolder(host);
  let needed = size;
  for (const { id, size_bytes } of announced) needed += Math.max(0, size_bytes - (await receivedBytes(host, id)));
  await refuseFull(host, needed);
}

export interface Piece {
  id: string;
  /** Bytes before it. */
  offset: number;
  bytes: Buffer;
  /** Bytes of the whole image. */
  size: number;
}

/**
 * Appends a piece; one that is there already is taken as sent again. Answers the bytes that are there then.
 * @throws Problem 409 when it does not go on where the last one ended, 422 when it is longer than was said, 507 when the
 *   rest of the image does not fit.
 */
export function receivePiece(host: Resolver, piece: Piece): Promise<number> {
  const path = uploadPath(host, piece.id);
  const turn = (turns.get(path) ?? Promise.resolve()).catch(() => undefined).then(() => append(host, path, piece));
  turns.set(path, turn);
  return turn.finally(() => turns.get(path) === turn && turns.delete(path));
}

/** Pieces of one image, one after the other: two that come at once would both be written where the last one ended. */
const turns = new Map<string, Promise<unknown>>();

async function append(host: Resolver, path: string, { id, offset, bytes, size }: Piece): Promise<number> {
  const received = await receivedBytes(host, id);
  if (offset + bytes.length > size) {
    throw new Problem(
      'request_validation_failed',
      `The image was said to have ${size} bytes; this piece goes beyond them.`,
      {
        errors: [{ pointer: '?offset', detail: 'The piece ends beyond the size of the image.' }],
      },
    );
  }
  if (offset + bytes.length <= received) return received;
  if (offset > received) {
    throw new Problem('state_conflict', `${received} bytes are there; go on from there.`, {
      errors: [{ pointer: '?offset', detail: `Expected at most ${received}.` }],
    });
  }
  await makeMediaFolder(host);
  // Told with the first piece that it will not fit, not with the one that fills the disk.
  await refuseFull(host, size - received);
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  try {
    // A disk that fills up takes a part and says so only when it is given the rest.
    for (let at = 0; at < bytes.length; )
      at += (await handle.write(bytes, at, bytes.length - at, offset + at)).bytesWritten;
    await handle.datasync();
  } finally {
    await handle.close();
  }
  return offset + bytes.length;
}

export const dropUpload = (host: Resolver, id: string): Promise<void> => rm(uploadPath(host, id), { force: true });
