// A file that arrives in pieces. Each piece is on the disk before its request is answered, so that a broken upload can
// go on after the last piece.
import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { Problem } from '../../ground/problems.ts';

/** Bytes of one piece. */
export const PIECE_MOST = 4 << 20;

export interface Receiving {
  /** Where the bytes go; nobody else writes there. */
  path: string;
  /** The file, in sentences: `image`. */
  noun: string;
  /** The folder of `path`, before the first piece. */
  makeFolder(): Promise<void>;
  /** @throws Problem 507 when so many more bytes do not fit */
  refuseFull(needed: number): Promise<void>;
}

export interface Piece {
  /** Bytes before it. */
  offset: number;
  bytes: Buffer;
  /** Bytes of the whole file. */
  size: number;
}

/** Bytes that have arrived; 0 where there is no file. */
export async function receivedBytes(path: string): Promise<number> {
  try {
    const found = await lstat(path);
    return found.isFile() ? found.size : 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** When the last piece came, milliseconds since 1970; null: none has. */
export async function lastPieceAt(path: string): Promise<number | null> {
  return (await lstat(path).catch(() => null))?.mtimeMs ?? null;
}

/** Announced bytes that have not arrived yet. */
export async function bytesToCome(announced: readonly { path: string; size_bytes: number }[]): Promise<number> {
  let coming = 0;
  for (const { path, size_bytes } of announced) coming += Math.max(0, size_bytes - (await receivedBytes(path)));
  return coming;
}

/**
 * Appends a piece; a piece that has arrived already counts as sent again. Answers the bytes that have arrived.
 * @throws Problem 409 when the piece does not begin where the last one ended, 422 when it goes beyond the announced
 * size,
 *   507 when the rest of the file does not fit on the disk.
 */
export function receivePiece(into: Receiving, piece: Piece): Promise<number> {
  const { path } = into;
  const turn = (turns.get(path) ?? Promise.resolve()).catch(() => undefined).then(() => append(into, piece));
  turns.set(path, turn);
  return turn.finally(() => turns.get(path) === turn && turns.delete(path));
}

/** Pieces of one file are written one after the other: two at once would be written at the same offset. */
const turns = new Map<string, Promise<unknown>>();

async function append({ path, noun, makeFolder, refuseFull }: Receiving, { offset, bytes, size }: Piece) {
  const received = await receivedBytes(path);
  const end = offset + bytes.length;
  if (end > size) {
    const errors = [{ pointer: '?offset', detail: `The piece ends beyond the size of the ${noun}.` }];
    const detail = `The ${noun} was announced with ${size} bytes; this piece goes beyond them.`;
    throw new Problem('request_validation_failed', detail, { errors });
  }
  if (end <= received) return received;
  if (offset > received) {
    throw new Problem('state_conflict', `${received} bytes are there; go on from there.`, {
      errors: [{ pointer: '?offset', detail: `Expected at most ${received}.` }],
    });
  }
  await makeFolder();
  // Refuses the first piece of a file that will not fit, not the piece that fills the disk.
  await refuseFull(size - received);
  const handle = await open(path, WRITE_OWN, 0o600).catch((error: NodeJS.ErrnoException) => {
    throw ['ELOOP', 'ENXIO', 'EISDIR'].includes(error.code ?? '') ? misplaced(noun) : error;
  });
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.nlink > 1) throw misplaced(noun);
    // A write to a full disk may be partial; only the next one fails.
    for (let at = 0; at < bytes.length; )
      at += (await handle.write(bytes, at, bytes.length - at, offset + at)).bytesWritten;
    await handle.datasync();
  } catch (error) {
    throw isFull(error) ? new Problem('storage_full', noRoom(noun), { retry_after: 30 }) : error;
  } finally {
    await handle.close();
  }
  return end;
}

/** Follows no link, and does not wait for the reader of a pipe. */
const WRITE_OWN = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const misplaced = (noun: string): Problem =>
  new Problem(
    'state_conflict',
    `The bytes of this ${noun} were replaced by something else on the disk. Remove it and start again.`,
  );

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
const noRoom = (noun: string): string =>
  `The disk has no room for the rest of the ${noun}. What arrived is kept: make room, then go on.`;
