// An image that arrives in pieces: each is written where it belongs and has reached the disk before it is answered, so
// that a broken upload goes on from what is there.
import { constants } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import type { Host } from '../../host/host.ts';
import { Problem } from '../../operation/problems.ts';
import { makeMediaFolder, uploadPath } from './media-folder.ts';

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
 * @throws Problem 409 when it does not go on where the last one ended, 422 when it is longer than was said.
 */
export async function receivePiece(host: Resolver, { id, offset, bytes, size }: Piece): Promise<number> {
  const path = uploadPath(host, id);
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
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  try {
    await handle.write(bytes, 0, bytes.length, offset);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  return offset + bytes.length;
}

export const dropUpload = (host: Resolver, id: string): Promise<void> => rm(uploadPath(host, id), { force: true });
