// From a file to a socket with two buffers, which are used again and again: one is sent while the other is filled. No
// memory is made and thrown away for the bytes that pass, which is what a stream of Node spends most of its time on.
import { read } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';

/** Fits into a processor's own memory, so that what was read is still there when it is sent. */
const BUFFER_BYTES = 512 << 10;
/** Buffers that wait for the next file. */
const KEPT = 32;

const pool: Buffer[] = [];
const take = (): Buffer => pool.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
const giveBack = (buffers: readonly Buffer[]): void => {
  for (const buffer of buffers) if (pool.length < KEPT) pool.push(buffer);
};

function fill({ fd }: FileHandle, buffer: Buffer, position: number, length: number): Promise<number> {
  return new Promise((resolve, reject) =>
    read(fd, buffer, 0, length, position, (error, count) => (error ? reject(error) : resolve(count))),
  );
}

/** Resolves when the kernel has taken the bytes, so that the buffer is free again. */
function send(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    if (response.destroyed) return reject(new Error('the reader has gone'));
    response.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Sends the bytes from `start` to `end`, both included; does not end the response.
 * @throws Error when the file ends early, or when its reader has gone.
 */
export async function pump(file: FileHandle, response: ServerResponse, start: number, end: number): Promise<void> {
  const buffers = [take(), take()] as const;
  const fillAt = (which: 0 | 1, position: number): Promise<number> =>
    fill(file, buffers[which], position, Math.min(BUFFER_BYTES, end + 1 - position));
  let which: 0 | 1 = 0;
  let at = start;
  let filled: Promise<number> | null = at <= end ? fillAt(which, at) : null;
  try {
    while (filled) {
      const count: number = await filled;
      if (count === 0) throw new Error('the file ended early');
      const bytes = buffers[which].subarray(0, count);
      at += count;
      which = which === 0 ? 1 : 0;
      filled = at <= end ? fillAt(which, at) : null;
      await send(response, bytes);
    }
    giveBack(buffers);
  } finally {
    // A buffer into which the kernel may still write is not used again.
    await filled?.catch(() => 0);
  }
}
