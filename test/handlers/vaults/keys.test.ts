// The file with the keys of the vaults, missing, damaged or of before, while values are stored: what is said at the start,
// over the API and on the pages, and what goes on without it.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keysInUse, keysUsed } from '../../../shared/platform/vaults/sealed-tables.ts';
import { type Credentials, type Heard, House, type Send } from '../../setup/house.ts';
import { fill, keysFile, openSide, rotate } from '../../setup/vault-scene.ts';

const UI = '/ui/management/vaults';
const lines: string[] = [];
let house: House;
let admin: Credentials;
let id: string;

beforeAll(async () => {
  house = await House.open({ log: (line) => void lines.push(line) });
  admin = await house.actor('admin', undefined, 'ada');
  ({ id } = (await call('POST', '', { body: { name: 'lab' } })).body);
});
afterAll(() => house.close());

const call = (method: string, path: string, send: Send = {}): Promise<Heard> =>
  house.send(method, `/api/v1/vaults${path}`, { token: admin.token, ...send });

test('without a keys file nothing is sealed, and what is said names the file and the way out', async () => {
  const entry = (await call('POST', `/${id}/entries`, { body: { key: 'a', value: 'x' } })).body;
  const text = await readFile(keysFile(house.data), 'utf8');
  const before = await house.lastAudit();
  for (const [harm, says] of [
    [() => rm(keysFile(house.data)), /vault\.keys is missing\. Restore it from where it was kept/],
    [() => writeFile(keysFile(house.data), '{', { mode: 0o600 }), /vault\.keys is damaged: restore it/],
    [() => chmod(keysFile(house.data), 0o644), /can be read by others\. Run: chmod 600/],
  ] as const) {
    await harm();
    const refused = [
      await call('POST', `/${id}/entries`, { body: { key: 'b', value: 'y' } }),
      await call('PATCH', `/${id}/entries/${entry.id}`, { body: { value: 'y' } }),
      await call('POST', '/rotate-key'),
    ];
    for (const { status, body } of refused) {
      expect([status, body.error_code, body.detail]).toEqual([409, 'vault_keys_unusable', expect.stringMatching(says)]);
    }
    // What needs no key goes on.
    expect((await call('POST', `/${id}/entries`, { body: { key: `c${String(says).length}` } })).status).toBe(201);
  }
  expect(new Set(await house.audited(before))).toEqual(new Set(['vault.entry.create']));
  await writeFile(keysFile(house.data), text, { mode: 0o600 });
  await chmod(keysFile(house.data), 0o600);
});

test('a start with a keys file of before says how many values it lacks the keys of', async () => {
  const data = await mkdtemp(join(tmpdir(), 'groundcrew-vaults-'));
  const side = await openSide(data);
  await fill(side, 3);
  const older = await readFile(keysFile(data), 'utf8');
  await rotate(side);
  const { id: lost } = await side.keyring.current();
  await side.store.close();
  await writeFile(keysFile(data), older, { mode: 0o600 });
  const said: string[] = [];
  const lacks = (line: string) => line.includes('vault.keys lacks');
  const other = await House.open({ data, log: (line) => void said.push(line) });
  await other.close();
  const [line, ...more] = said.filter(lacks);
  expect([JSON.parse(line!), more]).toMatchObject([{ level: 'warn', extra: { keys: [lost], entries: 3 } }, []]);
  expect(lines.filter(lacks)).toEqual([]);
});

test('on the pages, a file that can’t be used refuses a rotation and a new value with its name and the way out', async () => {
  const post = (path: string, form: Record<string, string> = {}) =>
    house.send('POST', `${UI}${path}`, { session: admin, form });
  const file = keysFile(house.data);
  const text = await readFile(file, 'utf8');
  await rm(file);
  const refused = [await post('/key'), await post(`/${id}/entries/new`, { key: 'late', value: 'canary' })];
  await writeFile(file, text, { mode: 0o600 });
  for (const { status, text: html } of refused) {
    expect(status).toBe(409);
    expect(html).toMatch(/The keys file \S+vault\.keys is missing\. Restore it/);
    expect(html).not.toContain('canary');
  }
});

test('keys in use are found from one to the next, in tables with an index and in others', async () => {
  const { store } = house.services;
  await store.write(async (tx) => {
    await tx.run(
      "INSERT INTO vault (id, name, created_by, created_at, updated_at) VALUES ('vault_keys', 'keys', '', '', '')",
    );
    for (const [at, key] of ['kek_b', 'kek_a', null, 'kek_b', 'kek_c'].entries())
      await tx.run(
        `INSERT INTO vault_entry (id, vault_id, key, kek_id, sealed_key, sealed_value, created_at, updated_at)
           VALUES (?1, 'vault_keys', ?1, ?2, ?2, ?2, '', '')`,
        [`entry_keys_${at}`, key],
      );
    await tx.run(
      "INSERT INTO kms_provider (id, name, created_at, updated_at) VALUES ('provider_keys', 'keys', '', '')",
    );
    for (const key of ['', 'kek_d', 'kek_d', 'kek_a'].entries())
      await tx.run(
        `INSERT INTO kms_key (id, provider_id, origin, state, length_bits, usage_mask, kek_id, sealed_key, sealed_value, created_by,
           created_at, changed_at) VALUES ('key_' || ?1, 'provider_keys', 'created', 'active', 256, 12, ?2, '', '', '', '', '')`,
        key,
      );
  });
  const used = await keysInUse(store);
  expect(used).toEqual(new Set(await keysUsed(store)));
  expect([...used]).toEqual(expect.arrayContaining(['kek_a', 'kek_b', 'kek_c', 'kek_d']));
  const page = await house.send('GET', UI, { session: admin });
  // Of kek_b two values, of kek_a and kek_c one each; of keys of clients three.
  expect(page.text).toContain('4 entries and 3 private keys can’t be opened');
  await store.write(async (tx) => {
    for (const table of ['vault_entry', 'kms_key'])
      await tx.run(`DELETE FROM ${table} WHERE kek_id LIKE 'kek__' OR kek_id = ''`);
  });
});
