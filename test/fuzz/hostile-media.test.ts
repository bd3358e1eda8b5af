// Images that are made to bring the appliance down rather than to get out of their folder: each ends as a refusal, in
// time, without taking the process or its memory along.
import { mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { renderBootConfig } from '../../shared/services/network-boot/boot/boot-config.ts';
import { openIso } from '../../shared/services/network-boot/esxi-media/iso9660.ts';
import { MediaFault } from '../../shared/services/network-boot/esxi-media/limits.ts';
import { uploadPath } from '../../shared/services/network-boot/esxi-media/media-folder.ts';
import {
  namedFiles,
  parseBootConfig,
  productOf,
} from '../../shared/services/network-boot/esxi-media/shipped-config.ts';
import { readRockRidge } from '../../shared/services/network-boot/esxi-media/susp.ts';
import { receivedBytes, receivePiece } from '../../shared/services/network-boot/esxi-media/upload.ts';
import { esxiEntries, makeIso } from '../setup/esxi-iso.ts';
import { growth, NEARLY_LINEAR } from '../setup/growth.ts';

const SECTOR = 2048;
let base: string;
let count = 0;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'groundcrew-hostile-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

async function written(image: Buffer): Promise<string> {
  const path = join(base, `image-${++count}.iso`);
  await writeFile(path, image);
  return path;
}

async function faultOf(image: Buffer): Promise<string> {
  const path = await written(image);
  const read = async () => {
    const source = await openIso(path);
    await source.members().finally(() => source.close());
    return 'was taken';
  };
  return read().catch((error: Error) => error.message);
}

/** A continuation area (SUSP 1.12, 5.1). */
function continuation(sector: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(28);
  bytes.write('CE', 'latin1');
  bytes[2] = bytes.length;
  bytes[3] = 1;
  for (const [at, value] of [sector, offset, length].entries()) bytes.writeUInt32LE(value, 4 + at * 8);
  return bytes;
}

describe('continuation areas of a directory record', () => {
  test('are read one at a time: one that is not waited for fails nobody', async () => {
    const asked: number[] = [];
    const area = Buffer.concat([continuation(1, 0, 64), continuation(2, 0, 4)]);
    const found = await readRockRidge(area, 0, async (sector) => {
      asked.push(sector);
      if (sector === 1) throw new Error('beyond the end');
      return Buffer.alloc(4);
    });
    expect([asked, found.name]).toEqual([[2], null]);
  });

  test('beyond the end of the image refuse it', async () => {
    const image = makeIso([...esxiEntries(), { path: ['zz'], content: Buffer.from('x'), special: 'XX' }]);
    // Two areas in place of the record's PX and XX entries.
    const at = image.indexOf('XX', 0, 'latin1') - 44;
    expect(image.toString('latin1', at, at + 2)).toBe('PX');
    Buffer.concat([continuation(16, 0, 4), continuation(0x7fff_ffff, 0, 64)]).copy(image, at);
    expect(await faultOf(image)).toBe('The image points beyond its own end.');
  });
});

describe('directories that lie over each other', () => {
  /** A small image with as many directories as its records say, each of `size` bytes of the same records. */
  function overlapping(size: number, flags: number): Buffer {
    const first = 20;
    const image = Buffer.alloc((first + 3000) * SECTOR + size);
    const record = (sector: number, of: number, name: string): Buffer => {
      const bytes = Buffer.alloc(34);
      bytes[0] = bytes.length;
      bytes.writeUInt32LE(sector, 2);
      bytes.writeUInt32LE(size, 10);
      bytes[25] = of;
      bytes[32] = 1;
      bytes.write(name, 33, 'latin1');
      return bytes;
    };
    image[16 * SECTOR] = 1;
    image.write('CD001', 16 * SECTOR + 1, 'latin1');
    image.writeUInt16LE(SECTOR, 16 * SECTOR + 128);
    record(first, 2, '\0').copy(image, 16 * SECTOR + 156);
    image[17 * SECTOR] = 255;
    image.write('CD001', 17 * SECTOR + 1, 'latin1');
    let next = 0;
    for (let at = first * SECTOR; at + SECTOR <= image.length; at += SECTOR) {
      for (let of = 0; of + 34 <= SECTOR; of += 34) {
        record(first + 1 + (next++ % 2900), flags, 'A').copy(image, at + of);
      }
    }
    return image;
  }

  test.each([
    ['folders that wait', 64 << 10, 2, /more than 2000 folders/],
    ['records', 2 << 20, 2, /more than \d+ directory records|more than 2000 folders/],
    ['records that are passed over', 2 << 20, 4, /more than \d+ directory records/],
  ])('are refused for their %s before they fill the memory', async (_name, size, flags, fault) => {
    expect(await faultOf(overlapping(size, flags))).toMatch(fault);
  });

  test('and hold nothing are refused for their bytes', async () => {
    const image = overlapping(8 << 20, 2);
    image.fill(0, 21 * SECTOR);
    expect(await faultOf(image)).toBe('A folder of the image is too large.');
  });
});

test('an image is read from what was opened, and not from what took its name', async () => {
  const path = await written(makeIso(esxiEntries()));
  const secret = join(base, 'secret');
  await writeFile(secret, 'secret'.repeat(100_000));
  const source = await openIso(path);
  const members = await source.members();
  await rename(path, `${path}.moved`);
  await symlink(secret, path);
  for (const { path: name, size, open } of members) {
    const wanted = esxiEntries().find((entry) => entry.path.join('/') === name)!.content!;
    expect([name, await buffer(open())]).toEqual([name, wanted]);
    expect(size).toBe(wanted.length);
  }
  await source.close();
  await expect(openIso(path)).rejects.toThrow(MediaFault);
});

describe('boot.cfg with long runs of spaces', () => {
  function handled(spaces: number): void {
    const run = ' '.repeat(spaces);
    const config = parseBootConfig(
      `title=Loading x${run}y installer\nkernel=/b.b00\nmodules=/a.gz---${run}/b.gz${run}x\n`,
    );
    expect(productOf(config)).toBe('x y');
    expect(namedFiles(config)).toEqual(['b.b00', 'a.gz', 'b.gz x']);
    const lines = [...config, ['modules', `/a.gz---${run}/b.gz${run}x`], ['constructor', 'x']] as [string, string][];
    const rendered = renderBootConfig(lines, { prefix: 'http://p', kickstart: 'http://k' });
    expect(rendered).toContain('\nmodules=a.gz --- b.gz x\n');
    expect(rendered).toContain('\nconstructor=x\n');
  }

  test('is read and rendered at a cost that does not grow with their square', async () => {
    expect(await growth(handled, 5000)).toBeLessThan(NEARLY_LINEAR);
  });
});

test('a piece of an image that can never fit is refused before it is written', async () => {
  const host = { resolve: (path: string) => join(base, 'appliance', path) };
  const piece = { id: 'medium_1', offset: 0, bytes: Buffer.from('x'), size: 2 ** 52 };
  await expect(receivePiece(host, piece)).rejects.toMatchObject({ code: 'storage_full' });
  expect(await receivePiece(host, { ...piece, size: 5 })).toBe(1);
});

test('of pieces that come at once for the same place one is written, whole', async () => {
  const host = { resolve: (path: string) => join(base, 'appliance', path) };
  const one = Buffer.alloc(3 << 20, 1);
  const other = Buffer.alloc(3 << 20, 2);
  const size = one.length + 1;
  const sent = [one, other, one, other].map((bytes) => receivePiece(host, { id: 'medium_2', offset: 0, bytes, size }));
  expect(await Promise.all(sent)).toEqual(Array(4).fill(one.length));
  expect((await readFile(uploadPath(host, 'medium_2'))).equals(one)).toBe(true);
  await expect(receivePiece(host, { id: 'medium_2', offset: size, bytes: one, size })).rejects.toThrow();
  expect(await receivePiece(host, { id: 'medium_2', offset: one.length, bytes: Buffer.from('x'), size })).toBe(size);
  expect(await receivedBytes(host, 'medium_2')).toBe(size);
});
