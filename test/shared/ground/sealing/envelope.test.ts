// Sealed values: what is opened again, and that everything else is refused, saying nothing. And the file with the keys.
import { execFileSync } from 'node:child_process';
import { createSecretKey, randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemEntropy } from '../../../../shared/ground/clock.ts';
import {
  type KeyEncryptionKey,
  openEntry,
  rewrap,
  type Sealed,
  sealEntry,
  VaultFault,
  type VaultPlace,
} from '../../../../shared/ground/sealing/envelope.ts';
import { KEYRING_FILE, newKeyId, openKeyring } from '../../../../shared/ground/sealing/keyring.ts';
import { StartFault } from '../../../../shared/ground/store/open-store.ts';
import { UsedEntry } from '../../../../shared/platform/vaults/use.ts';

const VALUE = 'canary-Value-7f3a ünï 🔑';
const PLACE: VaultPlace = { vault_id: 'vault_a', entry_id: 'entry_a', field: 'value' };
const kek = (id = 'kek_a'): KeyEncryptionKey => ({ id, key: createSecretKey(randomBytes(32)) });
const KEK = kek();
const SEALED = sealEntry(KEK, PLACE, VALUE, systemEntropy);

/** The fault of an attempt; anything else that happens is a failure of the test. */
function faultOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was opened');
}

/** Bytes of a sealed text after its format, and back. */
const bytesOf = (text: string): Buffer => Buffer.from(text.slice(4), 'base64url');
const textOf = (like: string, bytes: Buffer): string => like.slice(0, 4) + bytes.toString('base64url');
const flipped = (text: string, at: number): string => {
  const bytes = bytesOf(text);
  bytes[at]! ^= 1;
  return textOf(text, bytes);
};

describe('a sealed value', () => {
  test.each(['x', VALUE, ' ', 'y'.repeat(1024), '\\"$`\u00a0'])('%j is opened as it was', (value) => {
    expect(openEntry(KEK, PLACE, sealEntry(KEK, PLACE, value, systemEntropy))).toBe(value);
  });

  test('is another text each time, with another key, and holds nothing readable', () => {
    const again = sealEntry(KEK, PLACE, VALUE, systemEntropy);
    expect(again.sealed_value).not.toBe(SEALED.sealed_value);
    expect(again.sealed_key).not.toBe(SEALED.sealed_key);
    for (const text of [SEALED.sealed_key, SEALED.sealed_value]) {
      expect(bytesOf(text).includes('canary')).toBe(false);
    }
    expect(bytesOf(SEALED.sealed_key)).toHaveLength(12 + 16 + 32);
  });

  const other = sealEntry(KEK, { ...PLACE, entry_id: 'entry_b' }, 'another', systemEntropy);
  const swapped: [string, KeyEncryptionKey, VaultPlace, Sealed][] = [
    ['another key-encryption key under its id', kek(), PLACE, SEALED],
    ['another id of the key', { ...KEK, id: 'kek_b' }, PLACE, SEALED],
    ['another id of the key, told by the row as well', { ...KEK, id: 'kek_b' }, PLACE, { ...SEALED, kek_id: 'kek_b' }],
    ['another entry', KEK, { ...PLACE, entry_id: 'entry_b' }, SEALED],
    ['another vault', KEK, { ...PLACE, vault_id: 'vault_b' }, SEALED],
    ['another field', KEK, { ...PLACE, field: 'username' as 'value' }, SEALED],
    ['ids that meet at another point', KEK, { ...PLACE, vault_id: 'vault_aentry', entry_id: '_a' }, SEALED],
    ['the value of another entry', KEK, PLACE, { ...SEALED, sealed_value: other.sealed_value }],
    ['the key of another entry', KEK, PLACE, { ...SEALED, sealed_key: other.sealed_key }],
    ['value and key of another entry', KEK, PLACE, other],
    [
      'its older value under its newer key',
      KEK,
      PLACE,
      { ...SEALED, sealed_key: sealEntry(KEK, PLACE, 'x', systemEntropy).sealed_key },
    ],
    [
      'value and key exchanged',
      KEK,
      PLACE,
      { ...SEALED, sealed_key: SEALED.sealed_value, sealed_value: SEALED.sealed_key },
    ],
    [
      'value and key exchanged, formats mended',
      KEK,
      PLACE,
      {
        ...SEALED,
        sealed_key: `vk1.${SEALED.sealed_value.slice(4)}`,
        sealed_value: `vv1.${SEALED.sealed_key.slice(4)}`,
      },
    ],
    ['another format', KEK, PLACE, { ...SEALED, sealed_value: `vv2.${SEALED.sealed_value.slice(4)}` }],
    ['nothing', KEK, PLACE, { ...SEALED, sealed_value: '' }],
    ['a format alone', KEK, PLACE, { ...SEALED, sealed_value: 'vv1.' }],
    ['no key', KEK, PLACE, { ...SEALED, sealed_key: '' }],
    ['a character that the decoder would skip', KEK, PLACE, { ...SEALED, sealed_value: `${SEALED.sealed_value}!` }],
    ['a line break', KEK, PLACE, { ...SEALED, sealed_key: `${SEALED.sealed_key}\n` }],
    ['padding', KEK, PLACE, { ...SEALED, sealed_key: `${SEALED.sealed_key}=` }],
    [
      'more bytes',
      KEK,
      PLACE,
      { ...SEALED, sealed_value: textOf('vv1.', Buffer.concat([bytesOf(SEALED.sealed_value), Buffer.of(0)])) },
    ],
  ];

  test.each(swapped)('is not opened with %s', (_what, key, place, sealed) => {
    const fault = faultOf(() => openEntry(key, place, sealed));
    expect(fault).toBeInstanceOf(VaultFault);
    expect(inspect(fault, { depth: null, showHidden: true })).not.toMatch(/canary|entry_|vault_[ab]|kek_/);
    expect(fault.cause).toBeUndefined();
  });

  test('is refused with one changed bit, wherever it is, and cut off, wherever that is', () => {
    let refused = 0;
    for (const member of ['sealed_key', 'sealed_value'] as const) {
      const text = SEALED[member];
      for (let at = 0; at < bytesOf(text).length; at++) {
        for (const harmed of [flipped(text, at), textOf(text, bytesOf(text).subarray(0, at))]) {
          expect(faultOf(() => openEntry(KEK, PLACE, { ...SEALED, [member]: harmed }))).toBeInstanceOf(VaultFault);
          refused++;
        }
      }
      for (let length = 0; length < text.length; length++) {
        const harmed = { ...SEALED, [member]: text.slice(0, length) };
        expect(faultOf(() => openEntry(KEK, PLACE, harmed))).toBeInstanceOf(VaultFault);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(350);
  });

  test('keeps its text when its key is sealed anew, and opens with the new key alone', () => {
    const fresh = kek('kek_b');
    const sealed = {
      ...SEALED,
      kek_id: fresh.id,
      sealed_key: rewrap(KEK, fresh, PLACE, SEALED.sealed_key, systemEntropy),
    };
    expect(openEntry(fresh, PLACE, sealed)).toBe(VALUE);
    expect(faultOf(() => openEntry(KEK, PLACE, sealed))).toBeInstanceOf(VaultFault);
    expect(faultOf(() => openEntry({ ...KEK, id: fresh.id }, PLACE, sealed))).toBeInstanceOf(VaultFault);
    for (const place of [
      { ...PLACE, entry_id: 'entry_b' },
      { ...PLACE, vault_id: 'vault_b' },
    ]) {
      expect(faultOf(() => rewrap(KEK, fresh, place, SEALED.sealed_key, systemEntropy))).toBeInstanceOf(VaultFault);
    }
  });

  test('that was opened is in no print and no JSON of the entry', () => {
    const used = new UsedEntry({ key: 'a', username: 'root', uris: [], value: VALUE });
    expect(used.value).toBe(VALUE);
    for (const text of [
      JSON.stringify({ used }),
      inspect(used, { showHidden: true }),
      String(used),
      JSON.stringify({ ...used }),
    ]) {
      expect(text).not.toContain('canary');
    }
  });
});

describe('the file with the keys', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'groundcrew-keyring-'));
    file = join(folder, KEYRING_FILE);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const open = (entriesExist: boolean) => openKeyring(folder, systemEntropy, entriesExist);
  const parsed = () =>
    JSON.parse(readFileSync(file, 'utf8')) as { current: string; keys: { id: string; key: string }[] };

  test('is made once, for its owner only, with one key', async () => {
    const { id, key } = await (await open(false)).current();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(parsed()).toMatchObject({ version: 1, current: id, keys: [{ id, created_at: expect.any(String) }] });
    const again = await (await open(true)).current();
    expect([again.id, again.key.equals(key)]).toEqual([id, true]);
    expect(await (await open(false)).find('kek_other')).toBeNull();
  });

  test.each<[string, () => void, RegExp]>([
    ['readable by others', () => chmodSync(file, 0o640), /can be read by others\. Run: chmod 600/],
    ['missing while entries exist', () => rmSync(file), /is missing/],
    ['empty', () => writeFileSync(file, ''), /is damaged/],
    ['cut off', () => writeFileSync(file, readFileSync(file, 'utf8').slice(0, -9)), /is damaged/],
    ['of another version', () => writeFileSync(file, readFileSync(file, 'utf8').replace('1', '2')), /is damaged/],
    ['without its current key', () => rewrite({ current: 'kek_other' }), /is damaged/],
    [
      'with a short key',
      () => rewrite({ keys: parsed().keys.map((each) => ({ ...each, key: 'c2hvcnQ' })) }),
      /is damaged/,
    ],
    ['with a key twice', () => rewrite({ keys: [...parsed().keys, ...parsed().keys] }), /is damaged/],
    ['with more than it should have', () => rewrite({ more: 1 }), /is damaged/],
    [
      'a link to it',
      () => {
        renameSync(file, `${file}.elsewhere`);
        symlinkSync(`${file}.elsewhere`, file);
      },
      /is a symbolic link/,
    ],
    [
      'a folder',
      () => {
        rmSync(file);
        mkdirSync(file, 0o700);
      },
      /is no file/,
    ],
    [
      'a pipe that nobody writes to',
      () => {
        rmSync(file);
        execFileSync('mkfifo', ['-m', '600', file]);
      },
      /is no file/,
    ],
  ])('that is %s stops the start with one line that quotes nothing', async (_what, harm, message) => {
    await open(false);
    const { key } = parsed().keys[0]!;
    harm();
    const fault = await open(true).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(StartFault);
    expect((fault as Error).message).toMatch(message);
    expect((fault as Error).message).not.toContain('\n');
    expect(inspect(fault)).not.toContain(key.slice(0, 12));
  });

  function rewrite(members: object): void {
    writeFileSync(file, JSON.stringify({ ...parsed(), ...members }));
  }

  test('leaves no copy behind that a write which was killed had made', async () => {
    const keyring = await open(false);
    const [left, other] = [`${file}.4711-3.tmp`, `${file}.saved`];
    for (const each of [left, other]) copyFileSync(file, each);
    await keyring.add(newKeyId(systemEntropy));
    expect([existsSync(left), existsSync(other)]).toEqual([false, true]);
  });

  test('is read again when somebody else changed it', async () => {
    const [one, other] = [await open(false), await open(false)];
    const first = (await other.current()).id;
    const added = newKeyId(systemEntropy);
    await one.add(added);
    expect((await other.current()).id).toBe(added);
    expect(await other.ids()).toEqual([first, added]);
    await one.add(added);
    expect(await one.ids()).toEqual([first, added]);
    await other.retire([first]);
    expect([await one.find(first), await one.ids()]).toEqual([null, [added]]);
    await expect(one.retire([added])).rejects.toThrow('in use');
    rmSync(file);
    await expect(one.current()).rejects.toMatchObject({ code: 'vault_keys_unusable', status: 409 });
  });
});
