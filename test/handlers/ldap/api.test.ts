// The directory over REST: what names may not hold, who may be a member, and what can't be deleted.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Credentials, House } from '../../setup/house.ts';

let house: House;
let admin: Credentials;
let organization_id: string;

const send = (method: string, path: string, body?: unknown) =>
  house.send(method, `/api/v1/ldap/${path}`, { token: admin.token, body });
const pointers = ({ body }: { body: { errors?: { pointer: string }[] } }) =>
  (body.errors ?? []).map(({ pointer }) => pointer);

beforeAll(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor('admin');
  organization_id = (await send('POST', 'organizations', { slug: 'lab', suffix: 'dc=lab,dc=test' })).body.id;
  await send('POST', 'users', { organization_id, uid: 'ada', surname: 'Lovelace' });
});
afterAll(() => house.close());

/** What a DN (RFC 4514), a filter (RFC 4515), LDIF (RFC 2849) or a file of slapd means something by. */
const META = [
  ',',
  '+',
  '"',
  '\\',
  '<',
  '>',
  ';',
  '=',
  '#',
  '*',
  '(',
  ')',
  '\u0000',
  '\n',
  '\r',
  '\t',
  ':<',
  '{',
  '$',
  '|',
];

describe('nothing that means something elsewhere becomes part of a name', () => {
  const names: [string, string, (name: string) => object][] = [
    ['organizations', '/slug', (name) => ({ slug: name, suffix: 'o=x' })],
    ['organizations', '/suffix', (name) => ({ slug: 'x', suffix: `o=${name}` })],
    ['users', '/uid', (name) => ({ organization_id, uid: name, surname: 'x' })],
    ['groups', '/name', (name) => ({ organization_id, name })],
    ['groups', '/member_users', (name) => ({ organization_id, name: 'g', member_users: [name] })],
    ['groups', '/member_groups', (name) => ({ organization_id, name: 'g', member_groups: [name] })],
    ['bind-accounts', '/name', (name) => ({ organization_id, name })],
    ['users', '/mail', (name) => ({ organization_id, uid: 'x', surname: 'x', mail: `a@${name}.test` })],
    ['users', '/telephone', (name) => ({ organization_id, uid: 'x', surname: 'x', telephone: `1${name}` })],
  ];
  test.each(names)('%s at %s', async (path, pointer, body) => {
    for (const meta of META) {
      // Between letters, where no trimming helps.
      const name = `a${meta}b`;
      // A telephone number has brackets, and a suffix has parts.
      if (pointer === '/suffix' && meta === ',') continue;
      const answer = await send('POST', path, body(name));
      expect({ name, status: answer.status, at: pointers(answer) }).toEqual({ name, status: 422, at: [pointer] });
    }
  });

  test('a value may hold all of it but control characters', async () => {
    const surname = META.filter((meta) => meta >= ' ').join('');
    const made = await send('POST', 'users', { organization_id, uid: 'odd', surname });
    expect([made.status, made.body.surname]).toEqual([201, surname]);
    const refused = await send('POST', 'users', { organization_id, uid: 'odder', surname: 'a\nmail: x' });
    expect([refused.status, pointers(refused)]).toEqual([422, ['/surname']]);
  });
});

test('trees stand beside each other, never in one another', async () => {
  for (const suffix of ['dc=lab,dc=test', 'DC=LAB, dc=test', 'ou=x,dc=lab,dc=test', 'dc=test']) {
    const answer = await send('POST', 'organizations', { slug: 'near', suffix });
    expect([suffix, answer.status, pointers(answer)]).toEqual([suffix, 409, ['/suffix']]);
  }
  expect((await send('POST', 'organizations', { slug: 'beside', suffix: 'dc=other,dc=test' })).status).toBe(201);
});

describe('groups', () => {
  const create = (name: string, more: object = {}) => send('POST', 'groups', { organization_id, name, ...more });

  test('hold what is there, no circle and not themselves; a name is one whatever its case', async () => {
    const inner = (await create('inner', { member_users: ['ADA', 'ada', ''] })).body;
    expect(inner.member_users).toEqual(['ada']);
    const outer = (await create('outer', { member_groups: ['inner'] })).body;
    const circle = await send('PATCH', `groups/${inner.id}`, { member_groups: ['outer'] });
    expect([circle.status, pointers(circle)]).toEqual([422, ['/member_groups']]);
    expect((await send('PATCH', `groups/${outer.id}`, { member_groups: ['outer'] })).status).toBe(422);
    expect(pointers(await create('other', { member_users: ['nobody'] }))).toEqual(['/member_users']);
    expect(pointers(await create('INNER'))).toEqual(['/name']);
  });

  test('who is a member can’t be deleted, nor can an organization that holds something', async () => {
    const { items } = (await send('GET', `users?uid=ada`)).body;
    const user = await send('DELETE', `users/${items[0].id}`);
    expect([user.status, user.body.error_code]).toEqual([409, 'still_referenced']);
    expect(user.text).toContain('Group inner');
    expect((await send('DELETE', `organizations/${organization_id}`)).status).toBe(409);
  });
});

test('passwords are as long as the settings say, without the name, and never answered', async () => {
  const account = (await send('POST', 'bind-accounts', { organization_id, name: 'vcenter' })).body;
  const set = (password: string) => send('POST', `bind-accounts/${account.id}/password`, { password });
  for (const password of ['short', 'my-vcenter-account', ''])
    expect(pointers(await set(password))).toEqual(['/password']);
  expect((await set('a passphrase of its own')).body.password).toBeNull();
  const again = await set('a passphrase of its own');
  expect([again.status, pointers(again)]).toEqual([422, ['/password']]);
  const { text } = await send('GET', `bind-accounts/${account.id}`);
  expect(text).not.toContain('argon2id');
  expect(JSON.parse(text).password_set_at).not.toBeNull();
});

test('an identity stays: names, organization and entryUUID can’t be changed', async () => {
  const made = (await send('POST', 'users', { organization_id, uid: 'grace', surname: 'Hopper' })).body;
  expect(made.entry_uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  for (const member of ['uid', 'organization_id', 'entry_uuid'])
    expect((await send('PATCH', `users/${made.id}`, { [member]: 'x' })).status).toBe(422);
});
