// Many at once: an import of groups reads them once, hashes run a few at a time, and of two passwords that are set at once
// neither is forgotten.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Transaction } from '../../../shared/ground/store/database.ts';
import { systemActor } from '../../../shared/kernel/access/actor.ts';
import { createItem } from '../../../shared/platform/units/collection-store.ts';
import { groups } from '../../../shared/services/ldap/groups.ts';
import { argon2idHash, hashesNow, isHashOf, markOf } from '../../../shared/services/ldap/password-hash.ts';
import { knownHashes } from '../../../shared/services/ldap/password-store.ts';
import { preparePassword, storePassword } from '../../../shared/services/ldap/passwords.ts';
import { importFile } from '../../../shared/services/ldap/transfer/import.ts';
import { readEntries } from '../../../shared/services/ldap/transfer/read.ts';
import { type Credentials, House } from '../../setup/house.ts';

const UUID = Buffer.alloc(16, 7);

let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
});
afterAll(() => house.close());

const create = async (path: string, body: object): Promise<string> =>
  (await house.send('POST', `/api/v1/ldap/${path}`, { token: admin.token, body })).body.id;

/** Rows that an import of so many groups reads, each holding the next one. */
async function rowsRead(groups: number): Promise<number> {
  const organization_id = await create('organizations', { slug: `of-${groups}`, suffix: `o=of-${groups}` });
  const lines = Array.from({ length: groups }, (_, at) => `g${at},${at + 1 < groups ? `g${at + 1}` : ''}`);
  const file = readEntries('groups', ['name,member_groups', ...lines].join('\n'));
  let rows = 0;
  const { services } = house;
  await services.store.write(async (tx) => {
    const counting: Transaction = {
      ...tx,
      all: async <R>(...asked: Parameters<Transaction['all']>) => {
        const found = await tx.all<R>(...asked);
        rows += found.length;
        return found;
      },
      one: async <R>(...asked: Parameters<Transaction['one']>) => {
        const found = await tx.one<R>(...asked);
        rows += found ? 1 : 0;
        return found;
      },
    };
    const shell = { ...services, actor: systemActor('test') };
    const imported = await importFile(counting, shell, file, { organization_id });
    expect(imported.rows.filter(({ fate }) => fate === 'new')).toHaveLength(groups);
  });
  return rows;
}

test('twice as many groups read no more than twice as many rows', async () => {
  const [some, more] = [await rowsRead(40), await rowsRead(80)];
  expect(some).toBeGreaterThan(0);
  expect(more).toBeLessThanOrEqual(2 * some + 2);
});

test('a group that was settled and then not written is no member for the groups after it', async () => {
  const organization_id = await create('organizations', { slug: 'taken-back', suffix: 'o=taken-back' });
  const { clock, entropy, store } = house.services;
  // The same entryUUID twice: the table refuses the second group, after all rules were held against it.
  const shell = {
    clock,
    entropy: { ...entropy, bytes: (count: number) => (count === 16 ? UUID : entropy.bytes(count)) },
  };
  await store.write(async (tx) => {
    await createItem(tx, shell, groups, { organization_id, name: 'First' });
    // As an import does with each row.
    await tx.run('SAVEPOINT imported');
    await expect(createItem(tx, shell, groups, { organization_id, name: 'Refused' })).rejects.toThrow('entry uuid');
    await tx.run('ROLLBACK TO imported');
    await tx.run('RELEASE imported');
    const holding = (name: string, member: string) =>
      createItem(tx, house.services, groups, { organization_id, name, member_groups: [member] });
    await expect(holding('Second', 'Refused')).rejects.toMatchObject({
      members: { errors: [expect.objectContaining({ pointer: '/member_groups' })] },
    });
    expect(await holding('Second', 'First')).toMatchObject({ member_groups: ['First'] });
    expect(await createItem(tx, house.services, groups, { organization_id, name: 'refused' })).toBeTruthy();
  });
});

test('a circle that spans a file is found, and names are one whatever their case', async () => {
  const organization_id = await create('organizations', { slug: 'circle', suffix: 'o=circle' });
  const send = (csv: string) =>
    house.send('POST', `/api/v1/ldap/organizations/${organization_id}/import`, {
      token: admin.token,
      body: { kind: 'groups', csv },
    });
  const circle = await send('name,member_groups\na,b\nb,c\nc,a\n');
  expect([circle.status, circle.text]).toEqual([422, expect.stringContaining('circle')]);
  expect((await send('name,member_groups\na,b\nb,c\nc,\n')).body).toMatchObject({ created: 3 });
  const again = await send('name,member_groups\nc,a\n');
  expect([again.status, again.text]).toEqual([422, expect.stringContaining('circle')]);
  const twin = await house.send('POST', '/api/v1/ldap/groups', {
    token: admin.token,
    body: { organization_id, name: 'B' },
  });
  expect([twin.status, twin.body.errors[0].pointer]).toEqual([422, '/name']);
});

test('two hashes are made at a time, whoever asks; the others wait their turn', async () => {
  const made = Array.from({ length: 9 }, (_, at) => argon2idHash(`password ${at}`));
  expect(hashesNow()).toEqual({ running: 2, waiting: 7 });
  const hashes = await Promise.all(made);
  expect(new Set(hashes).size).toBe(9);
  expect(hashesNow()).toEqual({ running: 0, waiting: 0 });
});

test('of two passwords that are set at once, both are remembered, and the second is held against the first', async () => {
  const { store, ...shell } = house.services;
  const organization_id = await create('organizations', { slug: 'pair', suffix: 'o=pair' });
  const user_id = await create('users', { organization_id, uid: 'ada', surname: 'Lovelace' });
  const prepare = (password: string) => preparePassword(store, { user_id }, 'ada', password);
  const save = (prepared: Awaited<ReturnType<typeof prepare>>) =>
    store.write((tx) => storePassword(tx, shell, { user_id }, prepared));
  const [one, other, same] = await Promise.all(
    ['tundra-fiddle-gravel-08', 'ember-walrus-cobalt-44', 'tundra-fiddle-gravel-08'].map(prepare),
  );
  await save(one!);
  await save(other!);
  const kept = await knownHashes(store, { user_id });
  expect(kept.map(({ mark }) => mark)).toEqual([other!.hash, one!.hash].map(markOf));
  await expect(save(same!)).rejects.toMatchObject({ code: 'request_validation_failed' });
  expect(await isHashOf((await knownHashes(store, { user_id }))[0]!.hash, 'ember-walrus-cobalt-44')).toBe(true);
});
