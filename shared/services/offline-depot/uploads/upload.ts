// Uploads into the depot: announced, received in pieces, completed by a job. Their bytes are in a hidden folder of the
// store until all have arrived and are compared; then the file gets its name in one step.
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../../../ground/machine/host.ts';
import { Problem } from '../../../ground/problems.ts';
import { bytesToCome, PIECE_MOST, type Piece, receivedBytes, receivePiece } from '../../../platform/uploads/pieces.ts';
import { refuseFull } from '../../../platform/uploads/room.ts';
import { applianceFolder, DEPOT_STORE, depotUploadPath, makeUploadsFolder, uploadsFolder } from '../store.ts';
import type { UploadRow } from './upload-store.ts';

type Resolver = Pick<Host, 'resolve'>;

const NO_ROOM = `There is no room in ${DEPOT_STORE} for this file and the other uploads. Delete OVAs that are not needed any more, or give the depot a larger disk.`;

const fits = (host: Resolver, needed: number): Promise<void> => refuseFull(uploadsFolder(host), needed, NO_ROOM);

/** Refuses a file that does not fit beside all announced bytes that have not arrived. @throws Problem 409, 507 */
export async function refuseNoRoom(
  host: Resolver,
  announced: readonly { id: string; size_bytes: number }[],
  size: number,
): Promise<void> {
  await makeUploadsFolder(host);
  const coming = announced.map(({ id, size_bytes }) => ({ path: depotUploadPath(host, id), size_bytes }));
  await fits(host, size + (await bytesToCome(coming)));
}

/** Whether the depot has a file of this name. */
export async function isThere(host: Resolver, name: string): Promise<boolean> {
  return (await lstat(join(applianceFolder(host), name)).catch(() => null)) !== null;
}

export function fileExists(name: string): Problem {
  return new Problem('depot_file_exists', `The depot has a file ${name} already. Say whether it is to be replaced.`);
}

/** @throws Problem 409 when the file exists and `overwrite` is not set */
export async function refuseUnsaid(host: Resolver, name: string, overwrite: boolean): Promise<void> {
  if (!overwrite && (await isThere(host, name))) throw fileExists(name);
}

/**
 * Answers the bytes that have arrived.
 * @throws Problem as receivePiece, and 409 when the upload takes no pieces any more
 */
export async function receiveUpload(
  host: Resolver,
  upload: Pick<UploadRow, 'id' | 'state' | 'size_bytes'>,
  piece: Omit<Piece, 'size'>,
): Promise<number> {
  if (upload.state !== 'receiving') {
    throw new Problem('state_conflict', `This upload is ${upload.state} and takes no pieces.`);
  }
  const into = {
    path: depotUploadPath(host, upload.id),
    noun: 'file',
    makeFolder: () => makeUploadsFolder(host),
    refuseFull: (needed: number) => fits(host, needed),
  };
  return receivePiece(into, { ...piece, size: upload.size_bytes });
}

/** @throws Problem 409 while bytes are missing */
export async function refuseIncomplete(host: Resolver, { id, size_bytes }: UploadRow): Promise<void> {
  const received = await receivedBytes(depotUploadPath(host, id));
  if (received === size_bytes) return;
  throw new Problem('state_conflict', `${received} of ${size_bytes} bytes are there; send the rest first.`);
}

export const dropBytes = (host: Resolver, id: string): Promise<void> => rm(depotUploadPath(host, id), { force: true });

/** An upload as the API and the page show it. */
export async function uploadView(host: Resolver, row: UploadRow) {
  const { id, name, size_bytes, sha256, overwrite, state, job_id, fault, created_by, created_at } = row;
  const received_bytes = state === 'receiving' ? await receivedBytes(depotUploadPath(host, id)) : size_bytes;
  const told = { upload_id: id, name, size_bytes, received_bytes, piece_most: PIECE_MOST };
  return { ...told, sha256, overwrite, state, job_id, fault, created_by, created_at };
}
export type UploadView = Awaited<ReturnType<typeof uploadView>>;
