// People of the external provider: which role they have, what their account is called, and that an appliance that becomes new
// again forgets the provider with them.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nameFrom, recognise, roleOf, userOf } from '../../../../../shared/kernel/access/external/people.ts';
import { findProvider, putProvider } from '../../../../../shared/kernel/access/external/provider.ts';
import { keepOnly } from '../../../../../shared/kernel/access/first-account.ts';
import { startSession } from '../../../../../shared/kernel/access/session.ts';
import { USER_NAME, verifyUser } from '../../../../../shared/kernel/access/user.ts';
import { type Credentials, House } from '../../../../setup/house.ts';

let house: House;
let admin: Credentials;
beforeAll(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor('admin');
});
afterAll(() => house.close());

const ROLES = [
  { group: 'all', role: 'viewer' as const },
  { group: 'ops', role: 'network-admin' as const },
  { group: 'root', role: 'admin' as const },
];

test.each([
  [['all'], 'viewer'],
  [['all', 'ops'], 'network-admin'],
  [['root', 'all'], 'admin'],
  [['ROOT', 'al'], null],
  [[], null],
])('groups %j give %s', (groups, role) => expect(roleOf(groups, ROLES)).toBe(role));

test.each([
  ['Ada.Lovelace@lab.example', 'ada.lovelace'],
  ['Jürgen Müller', 'jurgen-muller'],
  ['42ada', 'ada'],
  ['', 'person'],
  ['李雷', 'person'],
  ['LAB\\ada', 'lab-ada'],
])('%s becomes %s', (text, name) => expect(nameFrom(text)).toBe(name));

test('whatever somebody is called, the name is one, with room for a number', () => {
  const check = (text: string) => {
    const name = nameFrom(text);
    expect(name).toMatch(USER_NAME);
    expect(name.length).toBeLessThanOrEqual(27);
  };
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), check));
});

test('many of one name have one each, and none signs in with a password', async () => {
  const { services } = house;
  const names = [];
  for (const subject of ['1', '2', '3']) {
    const identity = { issuer: 'https://id.lab.example', subject, name: 'ada', groups: [], contexts: [] };
    const { user } = await services.store.write((tx) => recognise(tx, services, identity, 'viewer'));
    names.push(user.name);
    expect(await verifyUser(services.store, user.name, '')).toBeNull();
  }
  expect(names).toEqual(['ada', 'ada-2', 'ada-3']);
});

test('of two issuers the same subject is two people', async () => {
  const { services } = house;
  const identity = { issuer: 'https://other.lab.example', subject: '1', name: 'ada', groups: [], contexts: [] };
  const { user, made } = await services.store.write((tx) => recognise(tx, services, identity, 'viewer'));
  expect([made, user.name]).toEqual([true, 'ada-4']);
});

const SAVED = {
  ...{ name: 'Lab', enabled: true, issuer: 'https://id.lab.example', client_id: 'gc', client_secret: 'of-the-lab' },
  ...{ scopes: [], groups_claim: 'groups', roles: ROLES, trusted_contexts: ['mfa'] },
};

test.each([
  ['its name', { name: 'Another' }, 0],
  ['its secret', { client_secret: 'another' }, 0],
  ['its scopes', { scopes: ['groups'] }, 0],
  ['its issuer', { issuer: 'https://id.lab.example/other' }, 1],
  ['its client id', { client_id: 'other' }, 1],
  ['its groups claim', { groups_claim: 'roles' }, 1],
  ['its mapping', { roles: ROLES.slice(0, 2) }, 1],
  ['its trusted contexts', { trusted_contexts: [] }, 1],
  ['whether it is on', { enabled: false }, 1],
])('a change of %s: what gives rights ends the sessions of its people', async (_what, changed, ended) => {
  const { services } = house;
  const identity = { issuer: SAVED.issuer, subject: 'in', name: 'in', groups: [], contexts: [] };
  const saved = await services.store.write(async (tx) => {
    await putProvider(tx, services, SAVED, null);
    await tx.run('DELETE FROM session WHERE user_id IN (SELECT user_id FROM external_person)');
    const { user } = await recognise(tx, services, identity, 'admin');
    await startSession(tx, services, user.id, '127.0.0.1', null);
    return putProvider(tx, services, { ...SAVED, ...changed }, null);
  });
  expect(saved.sessions_ended).toBe(ended);
});

test('a reset forgets the provider and its people', async () => {
  const { services } = house;
  await services.store.write((tx) => putProvider(tx, services, SAVED, null));
  expect((await findProvider(services.store))?.scopes).toEqual(['openid']);
  await services.store.write((tx) => keepOnly(tx, admin.user.id));
  expect(await findProvider(services.store)).toBeUndefined();
  expect(await userOf(services.store, { issuer: 'https://id.lab.example', subject: '1' })).toBeUndefined();
});
