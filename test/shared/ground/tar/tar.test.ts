// Tar archives: the same bytes for the same members, what the stock program lists of them, and that nothing else is read.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { TAR_LIMITS, TarFault, type TarFaultCode } from '../../../../shared/ground/tar/fault.ts';
import { BLOCK, checksumOf, headerOf } from '../../../../shared/ground/tar/header.ts';
import { readTar } from '../../../../shared/ground/tar/read.ts';
import { type MemberToWrite, writeTar } from '../../../../shared/ground/tar/write.ts';

const member = (name: string, text: string): MemberToWrite => {
  const data = Buffer.from(text);
  return { name, size: data.length, data: [data] };
};
const THREE = (): MemberToWrite[] => [
  member('desired/dns_zone.jsonl', '{"id":"zone_1"}\n'),
  member('empty.jsonl', ''),
  member('sealed/vault.jsonl', 'x'.repeat(BLOCK)),
];

async function all(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const read: Buffer[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read);
}
const archive = (members = THREE(), apart?: string): Promise<Buffer> => all(writeTar(members, apart));

async function membersOf(file: Buffer, apart?: string): Promise<[string, string][] | TarFaultCode> {
  const read: [string, string][] = [];
  try {
    for await (const { name, data } of readTar([file], apart)) read.push([name, (await all(data)).toString()]);
    return read;
  } catch (error) {
    if (error instanceof TarFault) return error.fault;
    throw error;
  }
}

/** The block with one field changed, and a checksum that agrees. */
function header(name: string, size: number, change: (block: Buffer) => void): Buffer {
  const block = headerOf(name, size);
  change(block);
  block.write(`${checksumOf(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}
const END = Buffer.alloc(2 * BLOCK);
const alone = (block: Buffer): Promise<unknown> => membersOf(Buffer.concat([block, END]));

describe('what was written', () => {
  test('is read again, also what stands apart', async () => {
    const texts = [
      ['desired/dns_zone.jsonl', '{"id":"zone_1"}\n'],
      ['empty.jsonl', ''],
      ['sealed/vault.jsonl', 'x'.repeat(BLOCK)],
    ];
    expect(await membersOf(await archive())).toEqual(texts);
    const manifest = member('manifest.json', '{}');
    const last = await archive([...THREE(), manifest], 'manifest.json');
    expect(await membersOf(last, 'manifest.json')).toEqual([...texts, ['manifest.json', '{}']]);
    const first = await archive([manifest, ...THREE()], 'manifest.json');
    expect(await membersOf(first, 'manifest.json')).toEqual([['manifest.json', '{}'], ...texts]);
    expect(await membersOf(await archive([]))).toEqual([]);
  });

  test('is the same bytes each time', async () => {
    expect((await archive()).equals(await archive())).toBe(true);
  });

  test('is passed over when nobody reads it', async () => {
    const names: string[] = [];
    for await (const { name } of readTar([await archive()])) names.push(name);
    expect(names).toEqual(THREE().map(({ name }) => name));
  });

  test('is what tar itself lists', async () => {
    const listed = execFileSync('tar', ['--numeric-owner', '--utc', '-tvf', '-'], {
      input: await archive(),
      encoding: 'utf8',
    });
    expect(listed.trim().split('\n')[0]?.replace(/ +/g, ' ')).toBe(
      '-rw------- 0/0 16 1970-01-01 00:00 desired/dns_zone.jsonl',
    );
    expect(listed.trim().split('\n')).toHaveLength(3);
  });
});

describe('refused is', () => {
  test('every flipped bit outside of the data, and every cut', async () => {
    const file = await archive();
    const data = new Set<number>();
    const places: [number, number][] = [
      [BLOCK, 16],
      [4 * BLOCK, BLOCK],
    ];
    for (const [at, length] of places) for (let i = 0; i < length; i++) data.add(at + i);
    const passed: number[] = [];
    for (let bit = 0; bit < file.length * 8; bit++) {
      if (data.has(bit >> 3)) continue;
      const flipped = Buffer.from(file);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      if (typeof (await membersOf(flipped)) !== 'string') passed.push(bit);
    }
    expect(passed).toEqual([]);
    for (let length = 0; length < file.length; length += 64) {
      expect(typeof (await membersOf(file.subarray(0, length)))).toBe('string');
    }
    expect(await membersOf(Buffer.concat([file, Buffer.alloc(BLOCK)]))).toBe('trailing_data');
  });

  test('what is no plain file, whatever its name', async () => {
    for (const type of ['1', '2', '3', '4', '5', '6', '7', 'g', 'x', 'L', 'K', 'S', '\0']) {
      expect([type, await alone(header('a.json', 0, (block) => block.write(type, 156, 'latin1')))]).toEqual([
        type,
        'member_kind',
      ]);
    }
  });

  test('a name that leads elsewhere, or that hides something', async () => {
    const names = ['/etc/passwd', '../a', 'a/../b', './a', 'a//b', 'a/', 'A.json', 'a\\b', 'a\0b', 'ä', ' a', '.a', ''];
    for (const name of names) {
      const block = header('a.json', 0, (it) => it.fill(0, 0, 100).write(name, 0, 'latin1'));
      expect([name, await alone(block)]).toEqual([name, 'member_name']);
    }
  });

  test('a header that another program wrote', async () => {
    const changes: ((block: Buffer) => void)[] = [
      (block) => block.write('0000644\0', 100, 'latin1'),
      (block) => block.write('00000000001\0', 136, 'latin1'),
      (block) => block.write('root', 265, 'latin1'),
      (block) => block.write('etc', 345, 'latin1'),
      (block) => block.write('ustar  \0', 257, 'latin1'),
      (block) => block.write('         0 \0', 124, 'latin1'),
      (block) => block.writeUInt8(0x80, 124),
    ];
    for (const change of changes) expect(await alone(header('a.json', 0, change))).toBe('header');
  });

  test('twins, and another order', async () => {
    const a = headerOf('a.json', 0);
    const b = headerOf('b.json', 0);
    expect(await membersOf(Buffer.concat([a, a, END]))).toBe('member_order');
    expect(await membersOf(Buffer.concat([b, a, END]))).toBe('member_order');
    for (const apart of ['b.json', 'c.json']) {
      expect(await membersOf(Buffer.concat([b, headerOf('c.json', 0), a, END]), apart)).toBe('member_order');
    }
    expect(await membersOf(Buffer.concat([b, a, b, END]), 'b.json')).toBe('member_order');
    expect(await membersOf(Buffer.concat([a, b, headerOf('c.json', 0), END]), 'b.json')).toBe('member_order');
  });

  test('too much', async () => {
    expect(await alone(headerOf('a.json', TAR_LIMITS.member + 1))).toBe('member_too_large');
    const many = Array.from({ length: TAR_LIMITS.members + 1 }, (_, at) => headerOf(`m${1000 + at}`, 0));
    expect(await membersOf(Buffer.concat([...many, END]))).toBe('members_too_many');
    const size = TAR_LIMITS.member;
    const read = (async () => {
      for await (const { name } of readTar(endless(size))) if (name === '') return;
    })();
    await expect(read).rejects.toThrow('The archive has more than 256 MiB.');
  });

  test('what is no archive', async () => {
    expect(await membersOf(Buffer.alloc(0))).toBe('not_tar');
    expect(await membersOf(Buffer.alloc(600, 0x61))).toBe('not_tar');
    expect(await membersOf(Buffer.alloc(BLOCK))).toBe('cut_off');
  });
});

/** Members of the largest size, one after another. */
function* endless(size: number): Generator<Buffer> {
  const piece = Buffer.alloc(1024 * 1024);
  for (let at = 0; ; at++) {
    yield headerOf(`m${1000 + at}`, size);
    for (let left = size; left > 0; left -= piece.length) yield piece;
  }
}

test('the writer refuses what the reader would', async () => {
  await expect(archive([member('../a', '')])).rejects.toThrow('No member may be named ../a.');
  await expect(archive([member('b', ''), member('a', '')])).rejects.toThrow('out of order');
  await expect(archive([{ name: 'a', size: 3, data: [Buffer.from('four')] }])).rejects.toThrow('size that was said');
  await expect(archive([{ name: 'a', size: 5, data: [Buffer.from('four')] }])).rejects.toThrow('size that was said');
  await expect(archive([{ name: 'a', size: TAR_LIMITS.member + 1, data: [] }])).rejects.toThrow('more than');
});

test('whoever stops reading closes what it is read from', async () => {
  let closed = false;
  const file = await archive();
  async function* source(): AsyncGenerator<Buffer> {
    try {
      for (let at = 0; at < file.length; at += BLOCK) yield file.subarray(at, at + BLOCK);
    } finally {
      closed = true;
    }
  }
  for await (const { name } of readTar(source())) if (name !== '') break;
  expect(closed).toBe(true);
});
