// The bytes of a file of another machine, in order. Questions go ahead of who takes them, and no further than there is memory for:
// whoever takes nothing stops the other machine.
import { FILES } from './limits.ts';
import type { Sftp } from './sftp.ts';

interface Asked {
  from: number;
  bytes: Buffer;
  got: Promise<number>;
}

/** As many bytes as there are, at most `most`. @throws Problem 409 */
export async function* readFile(sftp: Sftp, handle: Buffer, most: number): AsyncGenerator<Buffer> {
  let next = 0;
  let asked: Asked[] = [];
  const askAhead = () => {
    while (asked.length < FILES.in_flight && next < most) {
      const bytes = Buffer.allocUnsafeSlow(Math.min(FILES.piece, most - next));
      const got = sftp.read(handle, bytes, next);
      // It is told to who waits for it; one that nobody waits for any more is not.
      got.catch(() => undefined);
      asked.push({ from: next, bytes, got });
      next += bytes.length;
    }
  };
  for (askAhead(); asked.length > 0; askAhead()) {
    const { from, bytes, got } = asked.shift()!;
    const count = await got;
    if (count === 0) return;
    if (count < bytes.length) {
      // Less than there may be: what was asked for behind it is not what comes next.
      await Promise.allSettled(asked.map((each) => each.got));
      asked = [];
      next = from + count;
    }
    yield bytes.subarray(0, count);
  }
}
