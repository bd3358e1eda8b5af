// OVAs that ask for much: written in pieces, since each is larger than what its reader may take.
import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createGzip } from 'node:zlib';
import { tarHeader } from '../../../setup/make-ova/tar.ts';
import { makeOva } from '../../../setup/make-ova.ts';

const inside = (text: string) => (xml: string) => xml.replace('</VirtualSystem>', `${text}</VirtualSystem>`);

/** What it is → [how it ends, how it is written]. */
export const LARGE: Readonly<Record<string, readonly [string, (path: string) => Promise<unknown>]>> = {
  'a million members': ['members_too_many', millionMembers],
  'as many elements as fit': [
    'descriptor_too_many',
    (path) => makeOva({ path, descriptor: inside('<A b="c">d</A>'.repeat(140_000)) }),
  ],
  'all elements and all text that are allowed': [
    'accepted',
    (path) =>
      makeOva({
        path,
        descriptor: inside(`${'<A b="c">d</A>'.repeat(9_800)}<B>${randomBytes(880_000).toString('hex')}</B>`),
      }),
  ],
  'a gzip bomb of 256 MiB': [
    'gzip_bomb',
    async (path) => {
      const bytes = await packedZeros(256);
      return makeOva({ path, disks: [{ bytes, compression: 'gzip', capacity: '16', units: 'byte * 2^20' }] });
    },
  ],
  'a disk of 96 MiB': ['accepted', (path) => makeOva({ path, disks: [{ size: 96 << 20 }] })],
};

/** m0000000, m0000001, …, all empty. The checksum grows with the digits. */
async function millionMembers(path: string): Promise<void> {
  const file = await open(path, 'w');
  const pattern = tarHeader({ name: 'm0000000' });
  const base = Number.parseInt(pattern.toString('latin1', 148, 154), 8);
  const batch = Buffer.concat(Array.from({ length: BATCH }, () => pattern));
  for (let from = 0; from < 1_000_000; from += BATCH) {
    for (let n = 0; n < BATCH; n++) number(batch, n * 512, from + n, base);
    await file.write(batch);
  }
  await file.close();
}

const BATCH = 4000;

/** By bytes: strings would take seconds for so many. */
function number(headers: Buffer, at: number, value: number, base: number): void {
  let sum = base;
  for (let left = value, i = 7; i >= 1; i--, left = Math.floor(left / 10)) {
    headers[at + i] = 0x30 + (left % 10);
    sum += left % 10;
  }
  for (let i = 5; i >= 0; i--, sum >>= 3) headers[at + 148 + i] = 0x30 + (sum & 7);
}

async function packedZeros(mib: number): Promise<Buffer> {
  const gzip = createGzip({ level: 1 });
  const zeros = Buffer.alloc(1 << 20);
  const packed: Buffer[] = [];
  gzip.on('data', (piece: Buffer) => packed.push(piece));
  for (let n = 0; n < mib; n++) {
    if (!gzip.write(zeros)) await new Promise((resume) => gzip.once('drain', resume));
  }
  gzip.end();
  await new Promise((resume) => gzip.once('end', resume));
  return Buffer.concat(packed);
}
