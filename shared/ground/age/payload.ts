// The content of an age file: chunks of 64 KiB, each sealed by itself, numbered, the last one marked. So none can be left
// out, moved or put behind the end, and nothing has to be held but one chunk and the next. (STREAM, Hoang et al. 2015.)
import { ByteSource, type Bytes } from '../byte-source.ts';
import { AgeFault } from './fault.ts';
import { openBox, sealBox, TAG_BYTES } from './primitives.ts';

export const CHUNK = 64 * 1024;
const SEALED = CHUNK + TAG_BYTES;

function nonceOf(counter: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(counter, 5, 6);
  nonce[11] = last ? 1 : 0;
  return nonce;
}

export async function* sealPayload(plain: Bytes, key: Buffer): AsyncGenerator<Buffer> {
  const source = new ByteSource(plain);
  try {
    let chunk = await source.take(CHUNK);
    for (let counter = 0; ; counter++) {
      const next = chunk.length === CHUNK ? await source.take(CHUNK) : Buffer.alloc(0);
      const last = next.length === 0;
      yield sealBox(key, nonceOf(counter, last), chunk);
      if (last) return;
      chunk = next;
    }
  } finally {
    await source.close();
  }
}

/** @throws AgeFault damaged, cut_off */
export async function* openPayload(source: ByteSource, key: Buffer): AsyncGenerator<Buffer> {
  let chunk = await source.take(SEALED);
  for (let counter = 0; ; counter++) {
    const next = chunk.length === SEALED ? await source.take(SEALED) : Buffer.alloc(0);
    const last = next.length === 0;
    if (chunk.length < TAG_BYTES) throw new AgeFault('cut_off');
    const plain = openBox(key, nonceOf(counter, last), chunk);
    if (!plain) {
      // Whole, but not the last one: the file was cut between two chunks.
      const cut = last && openBox(key, nonceOf(counter, false), chunk) !== null;
      throw new AgeFault(cut ? 'cut_off' : 'damaged');
    }
    if (plain.length > 0) yield plain;
    // Only a file without content ends in a chunk without content.
    else if (counter > 0) throw new AgeFault('damaged');
    if (last) return;
    chunk = next;
  }
}
