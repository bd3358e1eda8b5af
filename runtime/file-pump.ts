// From a file to a socket with two buffers, which are used again and again: one is sent while the other is filled. No
// memory is made and thrown away for the bytes that pass, which is what a stream of Node spends most of its time on.
import { read } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';

/** Fits into a processor's own memory, so that what was read is still there when it is sent. */
const LARGE_BYTES = 512 << 10;
/** For readers that did not show yet that they are fast. */
const SMALL_BYTES = 32 << 10;
/** Buffers that wait for the next file, of each size. */
const KEPT = 32;

const pools = new Map<number, Buffer[]>([
  [LARGE_BYTES, []],
  [SMALL_BYTES, []],
]);
const take = (bytes: number): Buffer => pools.get(bytes)!.pop() ?? Buffer.allocUnsafeSlow(bytes);
const giveBack = (buffer: Buffer): void => {
  const pool = pools.get(buffer.length)!;
  if (pool.length < KEPT) pool.push(buffer);
};

function fill({ fd }: FileHandle, buffer: Buffer, position: number, length: number): Promise<number> {
  return new Promise((resolve, reject) =>
    read(fd, buffer, 0, length, position, (error, count) => (error ? reject(error) : resolve(count))),
  );
}

/**
 * Resolves when the kernel has taken the bytes, so that the buffer is free again. A client that ended its side gets no more:
 * what is written then waits for a connection that never comes, and is never called back for.
 * @throws Error when the reader has gone.
 */
export function send(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error('the reader has gone'));
    if (response.destroyed) return gone();
    response.once('close', gone);
    response.write(bytes, (error) => {
      response.off('close', gone);
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Which buffers a reader gets. */
interface Pace {
  readonly bytes: number;
  /** So much was taken, and that piece of it in so many ms. */
  taken(bytes: number, ms: number): void;
  ended(): void;
}

const ALWAYS_LARGE: Pace = { bytes: LARGE_BYTES, taken: () => undefined, ended: () => undefined };

/**
 * A listener with many readers: each begins with small buffers, and gets large ones once it took more than sockets hold by
 * themselves, faster than a slow one could. One that stalls gives them up again, and no more than a few have them at once:
 * whoever reads slowly on purpose costs next to nothing, however many of him there are.
 */
export class EarnedBuffers {
  readonly #most: number;
  #held = 0;

  constructor(most = 32) {
    this.#most = most;
  }

  pace(): Pace {
    let large = false;
    let bytes = 0;
    let ms = 0;
    const drop = (): void => {
      if (large) this.#held -= 1;
      large = false;
      bytes = 0;
      ms = 0;
    };
    return {
      get bytes() {
        return large ? LARGE_BYTES : SMALL_BYTES;
      },
      taken: (count, took) => {
        if (took > STALL_MS) return drop();
        if (large) return;
        bytes += count;
        ms += took;
        if (bytes < EARNED_BYTES) return;
        if (ms < EARNED_MS && this.#held < this.#most) {
          this.#held += 1;
          large = true;
        }
        bytes = 0;
        ms = 0;
      },
      ended: drop,
    };
  }
}

/** More than the sockets at both ends hold, in less time than a gigabit takes for it. */
const EARNED_BYTES = 16 << 20;
const EARNED_MS = 160;
/** A large buffer that takes longer is one too many. */
const STALL_MS = 250;

export interface Pumping {
  /** Large buffers from the start when not said. */
  buffers?: EarnedBuffers;
  /** Told of each piece that the kernel took. */
  sent?(bytes: number): void;
}

/**
 * Sends the bytes from `start` to `end`, both included; does not end the response.
 * @throws Error when the file ends early, or when its reader has gone.
 */
export async function pump(
  file: FileHandle,
  response: ServerResponse,
  start: number,
  end: number,
  { buffers: earned, sent }: Pumping = {},
): Promise<void> {
  const pace = earned?.pace() ?? ALWAYS_LARGE;
  const buffers: [Buffer, Buffer] = [take(pace.bytes), take(pace.bytes)];
  const fillAt = (which: 0 | 1, position: number): Promise<number> => {
    // Nothing is in it now: the moment to get another one.
    if (buffers[which].length !== pace.bytes) {
      giveBack(buffers[which]);
      buffers[which] = take(pace.bytes);
    }
    return fill(file, buffers[which], position, Math.min(buffers[which].length, end + 1 - position));
  };
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
      const began = performance.now();
      await send(response, bytes);
      pace.taken(count, performance.now() - began);
      sent?.(count);
    }
    for (const buffer of buffers) giveBack(buffer);
  } finally {
    pace.ended();
    // A buffer into which the kernel may still write is not used again.
    await filled?.catch(() => 0);
  }
}
