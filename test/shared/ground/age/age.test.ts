// Age files: what is encrypted comes back, what another program wrote is read, and everything else is refused by its name.
import { describe, expect, test } from '@jest/globals';
import { decryptAge, encryptAge, isRecipient } from '../../../../shared/ground/age/age.ts';
import { fromBech32, toBech32 } from '../../../../shared/ground/age/bech32.ts';
import { AGE_FAULTS, AgeFault, type AgeFaultCode } from '../../../../shared/ground/age/fault.ts';
import { CHUNK } from '../../../../shared/ground/age/payload.ts';
import { newIdentity } from '../../../../shared/ground/age/x25519.ts';
import { systemEntropy } from '../../../../shared/ground/clock.ts';

const ONE = newIdentity(systemEntropy);
const OTHER = newIdentity(systemEntropy);
const FOR_ONE = { recipients: [ONE.recipient] };
const BY_ONE = { identity: ONE.identity };

async function all(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const read: Buffer[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read);
}

const encrypted = (plain: Buffer, to: Parameters<typeof encryptAge>[1] = FOR_ONE): Promise<Buffer> =>
  all(encryptAge([plain], to, systemEntropy));

async function opened(file: Buffer, by: Parameters<typeof decryptAge>[1] = BY_ONE): Promise<Buffer | AgeFaultCode> {
  try {
    return await all(decryptAge([file], by));
  } catch (error) {
    if (error instanceof AgeFault) return error.fault;
    throw error;
  }
}

/** Bytes that no chunk repeats. */
const content = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) & 255));

describe('what was encrypted comes back', () => {
  test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 5])('%d bytes', async (length) => {
    const read = await opened(await encrypted(content(length)));
    expect(typeof read !== 'string' && read.equals(content(length))).toBe(true);
  });

  test('however the pieces are cut that it arrives in', async () => {
    const plain = content(CHUNK + 300);
    const pieces = (bytes: Buffer, size: number): Buffer[] =>
      Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
    for (const size of [37, 4096, CHUNK, CHUNK + 16]) {
      const file = await all(encryptAge(pieces(plain, size), FOR_ONE, systemEntropy));
      expect((await all(decryptAge(pieces(file, size), BY_ONE))).equals(plain)).toBe(true);
    }
  });

  test('to each of several recipients, and to nobody else', async () => {
    const third = newIdentity(systemEntropy);
    const file = await encrypted(content(10), { recipients: [OTHER.recipient, ONE.recipient] });
    expect(await opened(file)).toEqual(content(10));
    expect(await opened(file, { identity: OTHER.identity.toLowerCase() })).toEqual(content(10));
    expect(await opened(file, { identity: third.identity })).toBe('wrong_identity');
  });

  test('to who knows the passphrase', async () => {
    const file = await encrypted(content(10), { passphrase: 'päss phrase', log_n: 4 });
    expect(await opened(file, { passphrase: 'päss phrase' })).toEqual(content(10));
    expect(await opened(file, { passphrase: 'pass phrase' })).toBe('wrong_passphrase');
    expect(await opened(file)).toBe('needs_passphrase');
    expect(await opened(await encrypted(content(10)), { passphrase: 'päss phrase' })).toBe('needs_identity');
  });

  test('and no byte of it, nor the passphrase, is in the file', async () => {
    const secret = 'canary-in-the-clear';
    const file = await encrypted(Buffer.from(secret.repeat(9)), { passphrase: 'canary-passphrase', log_n: 4 });
    expect(file.includes('canary')).toBe(false);
  });
});

describe('what age 1.1.1 wrote', () => {
  const PLAIN = Buffer.from('made by another program\n');
  const WITH_PASSPHRASE =
    'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBJOTVOZFBBSU1RTWN6cWV5N1FVK3JRIDE4CjlabGNQNUVjbWRGcGJCYVdZSTNSNXNnYi8vb0p2MU5TN0ZtS2NsTlhTTVkKLS0tIHBySHlKSzJwOEVTSFo3RGJYN1NTSGljUDlFcTJYYmYxa29veC93UmUyUjgK3XH5ZHJo92qkj7/zbyMZGf0OcEJkZymdKfxFaQU8X3ksBSxP8LMGItPKp5F0jwvqfM9QvVNUjT0=';
  const FOR_RECIPIENT =
    'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSB3eGkxU1lrQStSMlJWQ2JQbTZKcGFUL1VkZFBySXhzZlE2OWlMcnk2TkdNCnJQaFdBUk1ndENYUXNoZUtyNHVZL1NUSFBnaHZGOU94RXFEeG1KMVd3Q28KLS0tIGNsVFFoYlFlZUF4b3dqeDluWnN0SVljT1NReUhiZERyeGlnWEpqaHBScUkKBqGSLoQqf9d+BqI4glVyT9JlUXX/NTpCnRVV15vnswxV0YhR+Wa86s50viOSitTJzrKuHxCLBEU=';
  const IDENTITY = 'AGE-SECRET-KEY-1X3HYAYA2D7J0UH2VJCAJZHHQVP0AMLXXZRU6ZRCT2VJG3CV2LKNQEYT5H8';

  test('is read', async () => {
    const file = Buffer.from(WITH_PASSPHRASE, 'base64');
    expect(await opened(file, { passphrase: 'correct horse battery' })).toEqual(PLAIN);
    expect(await opened(Buffer.from(FOR_RECIPIENT, 'base64'), { identity: IDENTITY })).toEqual(PLAIN);
  });
});

describe('refused is', () => {
  test('every flipped bit', async () => {
    const file = await encrypted(content(40));
    const kept = new Set<string>();
    for (let at = 0; at < file.length * 8; at++) {
      const flipped = Buffer.from(file);
      flipped[at >> 3]! ^= 1 << (at & 7);
      const result = await opened(flipped);
      if (typeof result !== 'string') kept.add(`bit ${at} of ${file.length * 8}`);
    }
    expect([...kept]).toEqual([]);
  });

  test('every cut of a small file', async () => {
    const file = await encrypted(content(40));
    for (let length = 0; length < file.length; length++) {
      expect(typeof (await opened(file.subarray(0, length)))).toBe('string');
    }
    expect(await opened(Buffer.concat([file, Buffer.from([0])]))).toBe('damaged');
  });

  test('a cut, a flipped bit and a swap at each border of chunks', async () => {
    const file = await encrypted(content(3 * CHUNK));
    const start = file.length - 3 * (CHUNK + 16);
    const border = (index: number): number => start + index * (CHUNK + 16);
    for (const index of [0, 1, 2]) {
      expect([index, await opened(file.subarray(0, border(index)))]).toEqual([index, 'cut_off']);
      for (const by of [-1, 1, 16]) expect(typeof (await opened(file.subarray(0, border(index) + by)))).toBe('string');
      for (const at of [border(index), border(index + 1) - 1, border(index + 1) - 17]) {
        const flipped = Buffer.from(file);
        flipped[at]! ^= 0x10;
        expect([at, await opened(flipped)]).toEqual([at, 'damaged']);
      }
    }
    const chunk = (index: number): Buffer => file.subarray(border(index), border(index + 1));
    const swapped = Buffer.concat([file.subarray(0, start), chunk(1), chunk(0), chunk(2)]);
    expect(await opened(swapped)).toBe('damaged');
    expect(await opened(Buffer.concat([file, chunk(2)]))).toBe('damaged');
  });

  test('what no such file is', async () => {
    expect(await opened(Buffer.alloc(0))).toBe('not_age');
    expect(await opened(Buffer.from('PK\u0003\u0004 a zip\n'))).toBe('not_age');
    expect(await opened(Buffer.alloc(200_000, 0x61))).toBe('not_age');
    expect(await opened(Buffer.from('-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n'))).toBe('armored');
    expect(await opened(Buffer.from('age-encryption.org/v2\n'))).toBe('version');
  });

  const HEAD = 'age-encryption.org/v1\n';
  const KEY = 'A'.repeat(43);
  const TAIL = `--- ${KEY}\n`;
  const SCRYPT = `-> scrypt ${'A'.repeat(22)}`;
  const passphrase = { passphrase: 'x' };
  test.each<[AgeFaultCode, string]>([
    ['work_too_high', `${SCRYPT} 21\n${KEY}\n`],
    ['work_too_high', `${SCRYPT} 99999999999999999999\n${KEY}\n`],
    ['damaged', `${SCRYPT} 04\n${KEY}\n`],
    ['damaged', `${SCRYPT} -4\n${KEY}\n`],
    ['damaged', `-> scrypt AAAA 4\n${KEY}\n`],
    ['damaged', `${SCRYPT} 4\nAAAA\n`],
    ['damaged', `${SCRYPT} 4 4\n${KEY}\n`],
    ['damaged', `${SCRYPT}  4\n${KEY}\n`],
    ['damaged', `${SCRYPT} 4\n${KEY}=\n`],
    ['damaged', ''],
    ['passphrase_not_alone', `${SCRYPT} 4\n${KEY}\n${SCRYPT} 4\n${KEY}\n`],
    ['passphrase_not_alone', `${SCRYPT} 4\n${KEY}\n-> X25519 ${KEY}\n${KEY}\n`],
    ['needs_identity', `-> grease\n\n`],
  ])('%s: %j', async (fault, stanzas) => {
    expect(await opened(Buffer.from(HEAD + stanzas + TAIL), passphrase)).toBe(fault);
  });

  test('a header without end', async () => {
    const stanza = `-> grease\n${'A'.repeat(64)}\n\n`;
    expect(await opened(Buffer.from(HEAD + stanza.repeat(2000)))).toBe('damaged');
  });

  test('a share that leads everybody to the same secret', async () => {
    expect(await opened(Buffer.from(`${HEAD}-> X25519 ${KEY}\n${KEY}\n${TAIL}`))).toBe('damaged');
    expect(isRecipient(toBech32('age', Buffer.alloc(32)))).toBe(true);
    await expect(encrypted(content(1), { recipients: [toBech32('age', Buffer.alloc(32))] })).rejects.toThrow(AgeFault);
  });

  test('what is no recipient and no identity, before anything is encrypted', async () => {
    const one = ONE.recipient;
    const wrong = [
      one.slice(0, -1),
      `${one.slice(0, -1)}${one.endsWith('q') ? 'p' : 'q'}`,
      one.replace('age1', 'agE1'),
      '',
    ];
    for (const recipient of wrong) {
      expect(isRecipient(recipient)).toBe(false);
      await expect(encrypted(content(1), { recipients: [recipient] })).rejects.toThrow(AGE_FAULTS.recipient_malformed);
    }
    expect(isRecipient(ONE.identity)).toBe(false);
    expect(await opened(await encrypted(content(1)), { identity: ONE.recipient })).toBe('identity_malformed');
    await expect(encrypted(content(1), { recipients: [] })).rejects.toThrow(RangeError);
    await expect(encrypted(content(1), { passphrase: '' })).rejects.toThrow(RangeError);
  });
});

test('bech32 spells the examples of BIP 173, and notices each letter that is wrong', () => {
  expect(toBech32('a', Buffer.alloc(0))).toBe('a12uel5l');
  expect(fromBech32('abcdef', 'abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw')).toEqual(
    Buffer.from('00443214c74254b635cf84653a56d7c675be77df', 'hex'),
  );
  const text = toBech32('age', content(32));
  for (let at = 4; at < text.length; at++) {
    const letter = text[at] === 'x' ? 'y' : 'x';
    expect(fromBech32('age', text.slice(0, at) + letter + text.slice(at + 1))).toBeNull();
  }
});
