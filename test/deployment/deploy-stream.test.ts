// What leaves for the host: the bytes of the OVA whatever its form, also when it takes them slowly, since the buffers that
// they are read into are used again.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { indexOva } from '../../shared/ground/ova/index-ova.ts';
import type { OvaPackage } from '../../shared/ground/ova/types.ts';
import { uploadMembers } from '../../shared/ground/ova/uploads.ts';
import { pinnedClient } from '../../shared/vcf/connection/pinned-client.ts';
import { MemberPieces, PIECE_BYTES } from '../../shared/vcf/deployment/pieces.ts';
import { streamMembers } from '../../shared/vcf/deployment/stream.ts';
import { startTlsTarget, type TlsTarget } from '../fakes/tls-target.ts';
import { type MadeOvaDisk, makeOva } from '../setup/make-ova.ts';

let folder: string;
let target: TlsTarget;
const arrived: { method: string; length: string | undefined; overwrite: unknown; sha256: string }[] = [];
let slow = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-stream-'));
  target = await startTlsTarget({ answer: (request, response) => void take(request).then(() => response.end()) });
});
afterAll(async () => {
  await target.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function take(request: IncomingMessage): Promise<void> {
  const hash = createHash('sha256');
  for await (const piece of request as AsyncIterable<Buffer>) {
    hash.update(piece);
    if (slow > 0) await pause(slow);
  }
  const { method = '', headers } = request;
  const { 'content-length': length, overwrite } = headers;
  arrived.push({ method, length, overwrite, sha256: hash.digest('hex') });
}

async function send(disks: MadeOvaDisk[], create = false): Promise<{ pkg: OvaPackage; told: number[] }> {
  arrived.length = 0;
  const { path } = await makeOva({ path: join(folder, 'a.ova'), disks });
  const pkg = await indexOva(path);
  const { host, port, sha256 } = target;
  const told: number[] = [];
  await streamMembers({
    pkg,
    files: uploadMembers(pkg).map(({ href }) => ({ device_id: href, path: href, size: null, create })),
    to: async () => ({ client: pinnedClient({ host, port, address: host, sha256 }), path: '/nfc/x', server: host }),
    signal: AbortSignal.timeout(30_000),
    onProgress: (done) => told.push(done),
  });
  return { pkg, told };
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

test.each([0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 40 * PIECE_BYTES + 17])(
  'a disk of %d bytes beside another one',
  async (size) => {
    const disks = [randomBytes(Math.max(size, 1)), randomBytes(100)];
    const { told } = await send(disks.map((bytes) => ({ bytes })));
    expect(arrived.map(({ sha256 }) => sha256)).toEqual(disks.map(digest));
    expect(arrived.map(({ length }) => length)).toEqual(disks.map(({ length }) => `${length}`));
    expect(told.at(-1)).toBe(disks[0]!.length + 100);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
  },
);

test('to a host that takes them slowly', async () => {
  slow = 1;
  const bytes = randomBytes(60 * PIECE_BYTES + 5);
  await send([{ bytes }]);
  slow = 0;
  expect(arrived[0]!.sha256).toBe(digest(bytes));
});

test('chunks arrive as one file, packed ones unpacked and with their length', async () => {
  const plain = randomBytes(3_000_001);
  const unpacked = Buffer.concat([randomBytes(500_000), Buffer.alloc(5_000_000), randomBytes(1)]);
  const packed = gzipSync(unpacked);
  const { told } = await send([
    { bytes: plain, chunk_size: 700_000 },
    { bytes: packed, compression: 'gzip' },
  ]);
  expect(arrived.map(({ sha256 }) => sha256)).toEqual([digest(plain), digest(unpacked)]);
  expect(arrived.map(({ length }) => length)).toEqual([`${plain.length}`, `${unpacked.length}`]);
  expect(told.at(-1)).toBe(plain.length + packed.length);
});

test('what the target wants to create goes by PUT', async () => {
  await send([{ bytes: randomBytes(10) }], true);
  expect(arrived[0]).toMatchObject({ method: 'PUT', overwrite: 't' });
});

test('a file that changed since it was checked is not sent on', async () => {
  const { pkg } = await send([{ bytes: randomBytes(10) }]);
  utimesSync(pkg.path, 1, 1);
  const read = new MemberPieces(pkg, pkg.members).toArray();
  await expect(read).rejects.toMatchObject({ fault: 'file_changed' });
});
