// What is served is read once for each change of it, and a row that is the same is the same object again; what a transaction
// wrote and took back is nowhere.
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database, Transaction } from '../../../shared/ground/store/database.ts';
import { organizationsOf } from '../../../shared/services/ldap/desired-organizations.ts';
import { type Credentials, House } from '../../setup/house.ts';

let house: House;
let admin: Credentials;
let organization_id: string;
const ids: string[] = [];

const send = async (method: string, path: string, body: object) => {
  const answer = await house.send(method, `/api/v1/ldap/${path}`, { token: admin.token, body });
  expect(answer.status).toBeLessThan(300);
  return answer.body.id as string;
};

beforeAll(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor('admin');
  organization_id = await send('POST', 'organizations', { slug: 'lab', suffix: 'dc=lab,dc=test' });
  for (const uid of ['ada', 'grace']) ids.push(await send('POST', 'users', { organization_id, uid, surname: uid }));
  await send('POST', 'groups', { organization_id, name: 'all', member_users: ['ada', 'grace'] });
});
afterAll(() => house.close());

/** Of the store, whose statements are counted. */
async function read() {
  const { store } = house.services;
  const [organization] = await organizationsOf(store);
  return organization!;
}

const counting = new AsyncLocalStorage<{ count: number }>();

/** Statements that one more reading takes; those of the clock and of jobs beside it do not count. */
async function statements(db: Database): Promise<number> {
  const { all } = db;
  const spied = db as { all: Database['all'] };
  spied.all = (...asked) => {
    const here = counting.getStore();
    if (here) here.count += 1;
    return all.apply(db, asked) as never;
  };
  const taken = { count: 0 };
  await counting
    .run(taken, () => organizationsOf(db))
    .finally(() => {
      spied.all = all;
    });
  return taken.count;
}

test('nothing is read again that nobody saved since', async () => {
  const { store } = house.services;
  const before = await read();
  expect(await statements(store)).toBe(1);
  expect(await read()).toBe(before);
  await send('PATCH', `users/${ids[0]}`, { mail: 'ada@elsewhere.test' });
  expect(await statements(store)).toBe(4);
  const after = await read();
  expect(after.users[0]).toMatchObject({ uid: 'ada', mail: 'ada@elsewhere.test' });
  expect(after.users[1]).toBe(before.users[1]);
  expect(after.groups).toBe(before.groups);
  expect(after.accounts).toBe(before.accounts);
  // No other reading sees what is the same text in other rows.
  expect(after).not.toBe(before);
});

test.each<[string, (tx: Transaction) => Promise<unknown>]>([
  ['a user', (tx) => tx.run("UPDATE ldap_user SET mail = 'no@lab.test' WHERE uid = 'grace'")],
  ['a group', (tx) => tx.run("UPDATE ldap_group SET member_users = '[]'")],
  ['an organization', (tx) => tx.run("UPDATE ldap_organization SET suffix = 'o=no'")],
  [
    'all users',
    async (tx) => [await tx.run("UPDATE ldap_group SET member_users = '[]'"), await tx.run('DELETE FROM ldap_user')],
  ],
])('%s that was changed in a transaction which is rolled back, and then otherwise', async (_what, change) => {
  const { store } = house.services;
  const before = structuredClone(await read());
  await store.write(
    async (tx) => {
      await change(tx);
      expect((await organizationsOf(tx))[0]).not.toEqual(before);
    },
    { rollBack: true },
  );
  expect(await read()).toEqual(before);
  // The version is that of the transaction which never was.
  await send('PATCH', `users/${ids[1]}`, { given_name: `Grace ${Math.random()}`.slice(0, 20) });
  const after = await read();
  expect({ ...after, users: [] }).toEqual({ ...before, users: [] });
  expect(after.users.map(({ uid, mail }) => [uid, mail])).toEqual(before.users.map(({ uid, mail }) => [uid, mail]));
});

test.each([
  ['description', { description: 'Nobody sees it there' }, true],
  ['enabled', { enabled: false }, false],
])('%s of a user', async (_member, body, same) => {
  const before = await read();
  await send('PATCH', `users/${ids[0]}`, body);
  expect((await read()) === before).toBe(same);
});
