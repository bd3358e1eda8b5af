// Private keys of daemons in the drivers: what is read of one, when one is written, and how the former one comes back.
import { generateKeyPairSync } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fileRefusal } from '../../../../shared/appliance/host-guard.ts';
import { systemEntropy } from '../../../../shared/ground/clock.ts';
import type { RenderedFile, SealedKey } from '../../../../shared/ground/machine/host.ts';
import { sealEntry } from '../../../../shared/ground/sealing/envelope.ts';
import { openKeyring } from '../../../../shared/ground/sealing/keyring.ts';
import { makeRoot } from '../../../../shared/platform/certificate-authority/make.ts';
import { hostFiles } from '../../../../shared/platform/host/files.ts';
import { realKeys, rehearsedKeys } from '../../../../shared/platform/host/key-driver.ts';
import { keyPath, renderedKey } from '../../../../shared/platform/host/key-files.ts';

const PATH = keyPath('ntp');
let data: string;
let base: string;
let one: { file: RenderedFile; pem: string };
let two: { file: RenderedFile; pem: string };

/** A certificate with its key sealed as a row has it, and the file that a unit renders of it. */
async function made(id: string) {
  const validity = { not_before: new Date('2026-01-01T00:00:00Z'), not_after: new Date('2036-01-01T00:00:00Z') };
  const wanted = { common_name: id, organization: '', path_length: 0, ...validity };
  const { pem, key_pem } = await makeRoot({ ...wanted, key_algorithm: 'ecdsa-p256' }, systemEntropy);
  return { file: renderedKey('ntp', pem, await sealed(id, key_pem)), pem: key_pem, certificate: pem };
}

async function sealed(row: string, key_pem: string): Promise<SealedKey> {
  const keyring = await openKeyring(data, systemEntropy, false);
  const place = { table: 'issued_certificate', row, field: 'private_key' };
  return { place, ...sealEntry(await keyring.current(), place, key_pem, systemEntropy) };
}

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'gct-keys-'));
  one = await made('one');
  two = await made('two');
});
afterAll(() => rmSync(data, { recursive: true, force: true }));
beforeEach(() => {
  base = mkdtempSync(join(data, 'host-'));
});

const real = () => hostFiles(base, realKeys(data));
const onDisk = () => readFileSync(join(base, PATH), 'utf8');
const beside = () => readdirSync(dirname(join(base, PATH)));

describe('on a host', () => {
  test('the key itself is written, for the daemon’s group, and only its line is ever read', async () => {
    const host = real();
    expect(await host.read(PATH)).toBeNull();
    await host.write(one.file);
    expect(onDisk()).toBe(one.pem);
    expect(statSync(join(base, PATH)).mode & 0o777).toBe(0o640);
    expect(await host.read(PATH)).toBe(one.file.content);
    expect(one.file.content).toMatch(/^Private key of the public key with SHA-256 [0-9a-f]{64}\.\n$/);
    expect(one.file.content).not.toBe(two.file.content);
    await host.remove(PATH);
    expect([await host.read(PATH), beside()]).toEqual([null, []]);
  });

  test.each<[string, () => RenderedFile, string]>([
    [
      'another key than the certificate’s',
      () => ({ ...one.file, sealed: two.file.sealed! }),
      'not that of the certificate',
    ],
    ['a key that was moved from another row', () => ({ ...one.file, sealed: moved() }), 'damaged or was moved'],
    [
      'a key of a ring that is gone',
      () => ({ ...one.file, sealed: { ...one.file.sealed!, kek_id: 'kek_0' } }),
      'another one',
    ],
    ['no key at all', () => ({ path: PATH, content: one.file.content, mode: 0o640 }), 'no sealed private key'],
  ])('%s is not written, and the former one stays', async (_name, file, said) => {
    const host = real();
    await host.write(two.file);
    await expect(host.write(file())).rejects.toThrow(said);
    expect([onDisk(), beside()]).toEqual([two.pem, ['tls.key']]);
  });

  test.each<[string, (at: string) => void, string]>([
    ['another key', (at) => writeFileSync(at, two.pem, { mode: 0o600 }), 'SHA-256'],
    ['what is no key', (at) => writeFileSync(at, 'CANARY', { mode: 0o600 }), 'No private key.\n'],
    ['a key that everybody may read', (at) => writeFileSync(at, one.pem, { mode: 0o644 }), 'mode 644'],
  ])('%s in its place is seen without being shown', async (_name, put, said) => {
    const at = join(base, PATH);
    mkdirSync(dirname(at), { recursive: true });
    put(at);
    const seen = await real().read(PATH);
    expect(seen).not.toBe(one.file.content);
    expect(seen).toContain(said);
    expect(seen).not.toMatch(/CANARY|BEGIN/);
  });

  test('a link in its place is not followed', async () => {
    const at = join(base, PATH);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(join(base, 'elsewhere'), one.pem);
    symlinkSync(join(base, 'elsewhere'), at);
    await expect(real().read(PATH)).rejects.toThrow('ELOOP');
  });

  test('the former key comes back, however often it is put back, and is gone when it is forgotten', async () => {
    const { keys, write, read } = real();
    await write(one.file);
    await keys!.keep(PATH);
    await write(two.file);
    expect(onDisk()).toBe(two.pem);
    for (let times = 0; times < 2; times += 1) await keys!.putBack(PATH, one.file.content);
    expect([onDisk(), await read(PATH)]).toEqual([one.pem, one.file.content]);
    await keys!.forget(PATH);
    expect(beside()).toEqual(['tls.key']);
    await write(two.file);
    await expect(keys!.putBack(PATH, one.file.content)).rejects.toThrow('the former private key is gone');
    expect(onDisk()).toBe(two.pem);
  });

  test('where none was, none is kept; what was kept before is not taken for it', async () => {
    const { keys, write, remove } = real();
    await write(one.file);
    await keys!.keep(PATH);
    await remove(PATH);
    await keys!.keep(PATH);
    expect(beside()).toEqual([]);
  });
});

test('a rehearsal opens the key, and writes its line alone', async () => {
  const host = hostFiles(base, rehearsedKeys(data));
  await host.write(one.file);
  expect([onDisk(), await host.read(PATH)]).toEqual([one.file.content, one.file.content]);
  await expect(host.write({ ...one.file, sealed: two.file.sealed! })).rejects.toThrow('not that of the certificate');
});

test.each([
  '/etc/groundcrew/private/ntp/other',
  '/etc/groundcrew/private/tls.key',
  '/etc/groundcrew/private/NTP/tls.key',
])('nothing but keys lies in the folder of keys: %s', async (path) => {
  await expect(real().write({ ...one.file, path })).rejects.toThrow('no private key of a daemon');
  await expect(real().read(path)).rejects.toThrow('no private key of a daemon');
});

test('the guard knows the line and no key', () => {
  expect(fileRefusal(one.file)).toBeNull();
  expect(fileRefusal({ ...one.file, content: one.pem })).toContain('none that the unit writes');
  expect(fileRefusal({ ...one.file, path: keyPath('other') })).toContain('no file of a unit');
});

test('keys of every kind that certificates have are known by their public key', async () => {
  const kinds = [
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
    generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ].map(({ privateKey }) => privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  mkdirSync(dirname(join(base, PATH)), { recursive: true });
  const seen = new Set<string | null>();
  for (const pem of kinds) {
    writeFileSync(join(base, PATH), pem, { mode: 0o640 });
    seen.add(await real().read(PATH));
  }
  expect([...seen].map((line) => line?.replace(/[0-9a-f]{64}/, '…'))).toEqual(
    kinds.map(() => 'Private key of the public key with SHA-256 ….\n'),
  );
});

const moved = (): SealedKey => ({ ...one.file.sealed!, place: { ...one.file.sealed!.place, row: 'two' } });
