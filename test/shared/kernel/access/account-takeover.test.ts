// Accounts of an archive: which are refused, so that nobody is locked out and no sign-in is made costly.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  ACCOUNT_HASH,
  ACCOUNT_NAME,
  ACCOUNT_ROLES,
  takeAccounts,
} from '../../../../shared/kernel/access/account-takeover.ts';
import { hashPassword } from '../../../../shared/kernel/access/password.ts';
import { LOG_N } from '../../../../shared/kernel/access/password-work.ts';
import { ROLES } from '../../../../shared/kernel/access/scopes.ts';
import { USER_NAME, verifyUser } from '../../../../shared/kernel/access/user.ts';
import { House, PASSWORD } from '../../../setup/house.ts';

let house: House;
let good: Record<string, unknown>;

beforeAll(async () => {
  house = await House.open({ accounts_travel: true });
  await house.actor('admin', undefined, 'ada');
  const [row] = await house.services.store.all<Record<string, unknown>>('SELECT * FROM user');
  good = { ...row, enabled: true };
});
afterAll(() => house.close());

const take = (rows: Record<string, unknown>[]) =>
  house.services.store.write((tx) => takeAccounts(tx, house.services, rows));

test('a name, a role and a hash are as this program writes them', async () => {
  expect(ACCOUNT_NAME.source).toBe(USER_NAME.source);
  expect(ACCOUNT_ROLES).toEqual(ROLES);
  const [scheme, , ...others] = (await hashPassword(PASSWORD)).split('$');
  // Tests hash at less than the appliance's own cost.
  expect([scheme, 2 ** LOG_N, ...others].join('$')).toMatch(ACCOUNT_HASH);
});

test.each([
  ['none at all', () => []],
  ['no enabled admin', () => [{ ...good, enabled: false }]],
  ['no admin', () => [{ ...good, role: 'viewer' }]],
  ['a role that there is not', () => [good, { ...good, id: 'user_b', name: 'bob', role: 'root' }]],
  ['a name that can’t sign in', () => [{ ...good, name: 'Ada Lovelace' }]],
  [
    'a hash that costs too much',
    () => [{ ...good, password_hash: 'scrypt$1073741824$8$1$dGVzdHM$p0iTQPNaKmBWASqHCdi1yaaHrzsww3hYJlyYy3Oj3_M' }],
  ],
  ['a hash of another kind', () => [{ ...good, password_hash: '$2b$10$abcdefghijklmnopqrstuv' }]],
])('%s is refused, and the accounts of here stay', async (_what, rows) => {
  await expect(take(rows())).rejects.toMatchObject({ code: 'state_conflict' });
  expect(await verifyUser(house.services.store, 'ada', PASSWORD)).toMatchObject({ name: 'ada' });
});

test('accounts of an external provider stay behind, and no admin of them will do', async () => {
  const external = { ...good, id: 'user_x', name: 'xena', password_hash: '' };
  await expect(take([external])).rejects.toMatchObject({ code: 'state_conflict' });
  expect(await take([good, external])).toBe(1);
});

test('they take the place of all that are here, and keep their passwords', async () => {
  const bob = { ...good, id: 'user_b', name: 'bob' };
  expect(await take([bob, { ...good, id: 'user_c', name: 'eve', enabled: false }])).toBe(2);
  const { store } = house.services;
  expect(await store.all('SELECT name FROM user ORDER BY name')).toEqual([{ name: 'bob' }, { name: 'eve' }]);
  expect(await store.all('SELECT id_hash FROM session')).toEqual([]);
  expect(await store.all('SELECT id FROM api_token')).toEqual([]);
  expect(await verifyUser(store, 'ada', PASSWORD)).toBeNull();
  expect(await verifyUser(store, 'bob', PASSWORD)).toMatchObject({ id: 'user_b' });
  expect(await verifyUser(store, 'eve', PASSWORD)).toBeNull();
});
