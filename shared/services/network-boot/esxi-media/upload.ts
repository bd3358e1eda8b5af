// An image that is uploaded in pieces, stored beside the media.
import { rm } from 'node:fs/promises';
import type { Host } from '../../../ground/machine/host.ts';
import * as pieces from '../../../platform/uploads/pieces.ts';
import { makeMediaFolder, uploadPath } from './media-folder.ts';
import type { Announced } from './medium-store.ts';
import { refuseFull } from './room.ts';

export { PIECE_MOST } from '../../../platform/uploads/pieces.ts';

type Resolver = Pick<Host, 'resolve'>;

/** Bytes that have arrived. */
export const receivedBytes = (host: Resolver, id: string): Promise<number> =>
  pieces.receivedBytes(uploadPath(host, id));

/** When the last piece came, milliseconds since 1970; null: none has. */
export const lastPieceAt = (host: Resolver, id: string): Promise<number | null> =>
  pieces.lastPieceAt(uploadPath(host, id));

/**
 * Requires room for a new image beside all announced bytes that have not arrived: ten images could fit one by one, and
 * together fill the disk. @throws Problem 507
 */
export async function refuseBeyondRoom(host: Resolver, announced: readonly Announced[], size: number): Promise<void> {
  await makeMediaFolder(host);
  const coming = announced.map(({ id, size_bytes }) => ({ path: uploadPath(host, id), size_bytes }));
  await refuseFull(host, size + (await pieces.bytesToCome(coming)));
}

export interface Piece extends pieces.Piece {
  id: string;
}

/** See receivePiece in shared/platform/uploads/pieces.ts. */
export function receivePiece(host: Resolver, { id, ...piece }: Piece): Promise<number> {
  const into = {
    path: uploadPath(host, id),
    noun: 'image',
    makeFolder: () => makeMediaFolder(host),
    refuseFull: (needed: number) => refuseFull(host, needed),
  };
  return pieces.receivePiece(into, piece);
}

export const dropUpload = (host: Resolver, id: string): Promise<void> => rm(uploadPath(host, id), { force: true });
