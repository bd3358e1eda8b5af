// An image that arrives in pieces, beside the media.
import { rm } from 'node:fs/promises';
import type { Host } from '../../../ground/machine/host.ts';
import * as pieces from '../../../platform/uploads/pieces.ts';
import { makeMediaFolder, uploadPath } from './media-folder.ts';
import type { Announced } from './medium-store.ts';
import { refuseFull } from './room.ts';

export { PIECE_MOST } from '../../../platform/uploads/pieces.ts';

type Resolver = Pick<Host, 'resolve'>;

/** Bytes that are there. */
export const receivedBytes = (host: Resolver, id: string): Promise<number> =>
  pieces.receivedBytes(uploadPath(host, id));

/** When the last piece came, milliseconds since 1970; null: none has. */
export const lastPieceAt = (host: Resolver, id: string): Promise<number | null> =>
  pieces.lastPieceAt(uploadPath(host, id));

/**
 * All that was announced and has not come yet has to fit beside a new image: announcing costs nothing, and each of ten
 * images that fit one by one would be told too late. @throws Problem 507
 */
export async function refuseBeyondRoom(host: Resolver, announced: readonly Announced[], size: number): Promise<void> {
  await makeMediaFolder(host);
  const coming = announced.map(({ id, size_bytes }) => ({ path: uploadPath(host, id), size_bytes }));
  await refuseFull(host, size + (await pieces.bytesToCome(coming)));
}

export interface Piece extends pieces.Piece {
  id: string;
}

/** As receivePiece of shared/platform/uploads/pieces.ts. */
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
