// The directory with the real slapd (needs root) where something goes wrong: an apply that is rolled back, an audit row that is
// not saved, an entry that slapd refuses. And what its clients are told, which they type in.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { sha256 } from '../../shared/platform/applied/baseline.ts';
import { cardsFor } from '../../shared/services/ldap/clients/cards.ts';
import { directoryInForce } from '../../shared/services/ldap/clients/in-force.ts';
import { clientsSeen, lookForClients } from '../../shared/services/ldap/clients/seen.ts';
import { ENTRIES_FILE } from '../../shared/services/ldap/files.ts';
import { searchDirectory } from '../../shared/services/ldap/follow/socket.ts';
import { ldapUnit } from '../../shared/services/ldap/unit.ts';
import { until } from '../setup/until.ts';
import { CLIENT, Directory, NAME } from './directory-scene.ts';

const SUFFIX = 'dc=lab,dc=test';
const OTHER = 'o=other';
const READER = { dn: `cn=vcenter,ou=system,${SUFFIX}`, password: 'tundra-fiddle-gravel-08' };
const CANARIES = { ada: 'quarrel-velvet-onion-71', grace: 'ember-walrus-cobalt-44' };
const ada = `uid=ada,ou=people,${SUFFIX}`;
const grace = `uid=grace,ou=people,${SUFFIX}`;
const SLOW = 240_000;

let directory: Directory;
const ids: Record<string, string> = {};

async function setPassword(kind: 'users' | 'bind-accounts', id: string, password?: string): Promise<string> {
  const answer = await directory.api('POST', `ldap/${kind}/${id}/password`, password === undefined ? {} : { password });
  return answer.password;
}

beforeAll(async () => {
  directory = await Directory.open();
  await directory.api('PATCH', 'ldap/settings', {
    enabled: true,
    hostname: NAME,
    listen_interfaces: ['lab0'],
    ldap_enabled: true,
    password_max_failures: 3,
    password_lockout_minutes: 0,
  });
  const create = async (path: string, body: object): Promise<string> =>
    (await directory.api('POST', `ldap/${path}`, body)).id;
  ids.lab = await create('organizations', { slug: 'lab', suffix: SUFFIX });
  await create('organizations', { slug: 'other', suffix: OTHER });
  const organization_id = ids.lab;
  ids.ada = await create('users', { organization_id, uid: 'ada', surname: 'Lovelace' });
  ids.grace = await create('users', { organization_id, uid: 'grace', surname: 'Hopper' });
  await create('groups', { organization_id, name: 'Operators', member_users: ['ada'] });
  ids.reader = await create('bind-accounts', { organization_id, name: 'vcenter' });
  await setPassword('users', ids.ada, CANARIES.ada);
  await setPassword('users', ids.grace, CANARIES.grace);
  await setPassword('bind-accounts', ids.reader, READER.password);
  expect(await directory.apply()).toMatchObject({ state: 'succeeded' });
}, SLOW);
afterAll(() => directory?.close());

describe('what clients are told', () => {
  test('is in force: a client that types it in finds users and groups, and its address is seen', async () => {
    const inForce = (await directoryInForce(directory.host))!;
    expect(inForce.servers.map(({ url }) => url)).toEqual([`ldaps://${NAME}:636`, `ldap://${NAME}:389`]);
    const [organization] = inForce.organizations;
    expect(organization).toEqual({ slug: 'lab', suffix: SUFFIX, domain: 'lab.test', accounts: ['vcenter'] });
    const cards = cardsFor({ servers: inForce.servers, organization: organization!, account: 'vcenter' });
    const said = (id: string, label: string) =>
      cards.find((card) => card.id === id)!.values.find((each) => each.label === label)!.value;
    const reader = { dn: said('vcenter', 'Username'), password: READER.password };
    expect(reader.dn).toBe(READER.dn);
    const users = said('vcenter', 'Base distinguished name for users');
    expect(directory.search(reader, users, said('identity-broker', 'Filter of users'), 'uid')).toContain('uid: ada');
    const groups = said('nsx', 'Base DN');
    expect(directory.search(reader, groups, said('identity-broker', 'Filter of groups'), 'cn')).toContain(
      'cn: Operators',
    );
    expect(
      directory.search(
        reader,
        said('identity-broker', 'Bind DN'),
        said('identity-broker', 'Filter of the bind user'),
        'cn',
      ),
    ).toContain('cn: vcenter');
    // Open for as long as it waits for its next page.
    const store = {};
    const open = directory.stays(reader);
    try {
      await until(async () => {
        await lookForClients(directory.host, store, '2026-11-26T00:00:00Z');
        return clientsSeen(store).length > 0;
      });
    } finally {
      open.kill();
    }
    expect(clientsSeen(store)).toEqual([{ address: CLIENT, dn: READER.dn, at: '2026-11-26T00:00:00Z' }]);
  });

  test('who is connected is read by nobody over the network', () => {
    expect(directory.search(READER, 'cn=Monitor', '(objectClass=*)')).toEqual(['code 32']);
  });

  test(
    'the cards of each bind account have a light that says whether it has signed in',
    async () => {
      const { id } = await directory.api('POST', 'ldap/bind-accounts', { organization_id: ids.lab, name: 'nsx' });
      await setPassword('bind-accounts', id, 'lantern-mosaic-puddle-93');
      expect((await directory.apply()).state).toBe('succeeded');
      const light = async (account: string) => {
        const at = `${pagePath('ldap-clients')}?${new URLSearchParams({ account })}`;
        const { text } = await directory.house.send('GET', at, { session: directory.admin });
        return / has not signed in|signed in/.exec(text.replaceAll(/<[^>]+>/g, ' '))?.[0].trim();
      };
      expect(directory.bind(READER.dn, READER.password)).toBe(0);
      expect(await light('lab/vcenter')).toBe('signed in');
      expect(await light('lab/nsx')).toBe('has not signed in');
      expect(directory.bind(`cn=nsx,ou=system,${SUFFIX}`, 'lantern-mosaic-puddle-93')).toBe(0);
      expect(await light('lab/nsx')).toBe('signed in');
      await directory.api('DELETE', `ldap/bind-accounts/${id}`);
      expect((await directory.apply()).state).toBe('succeeded');
    },
    SLOW,
  );
});

describe('what goes wrong', () => {
  test(
    'an apply that is rolled back brings former passwords back, also of who is saved no more',
    async () => {
      const { probe } = ldapUnit;
      const next = 'harbor-violin-magnet-36';
      const eve = `uid=eve,ou=people,${SUFFIX}`;
      const { id } = await directory.api('POST', 'ldap/users', {
        organization_id: ids.lab,
        uid: 'eve',
        surname: 'Eve',
      });
      const evesPassword = await setPassword('users', id);
      expect((await directory.apply()).state).toBe('succeeded');
      expect(directory.bind(eve, evesPassword)).toBe(0);
      await setPassword('users', ids.grace!, next);
      await directory.api('DELETE', `ldap/users/${id}`);
      let asked = 0;
      ldapUnit.probe = async (...args) => {
        asked += 1;
        if (asked > 1) return probe(...args);
        await until(() => directory.bind(grace, next) === 0 && directory.bind(eve, evesPassword) === 49);
        return { ok: false, said: 'refused by this test' };
      };
      const { state } = await directory.apply().finally(() => {
        ldapUnit.probe = probe;
      });
      expect(state).not.toBe('succeeded');
      await until(() => directory.bind(grace, CANARIES.grace) === 0);
      await until(() => directory.bind(eve, evesPassword) === 0);
      expect(directory.bind(grace, next)).toBe(49);
      expect((await directory.apply()).state).toBe('succeeded');
      expect(directory.bind(grace, next)).toBe(0);
      expect(directory.bind(eve, evesPassword)).toBe(49);
      CANARIES.grace = next;
    },
    SLOW,
  );

  test('without its audit row nobody is unlocked', async () => {
    const { store } = directory.house.services;
    for (let wrong = 0; wrong < 3; wrong += 1) expect(directory.bind(grace, 'no')).toBe(49);
    await store.write((tx) =>
      tx.run(`CREATE TRIGGER no_unlock BEFORE INSERT ON audit_event WHEN NEW.action = 'ldap.user.unlock'
        BEGIN SELECT RAISE(ABORT, 'no room'); END`),
    );
    const token = directory.admin.token;
    const refused = await directory.house.send('POST', `/api/v1/ldap/users/${ids.grace}/unlock`, { token });
    expect(refused.status).toBe(500);
    expect((await directory.api('GET', 'ldap/status')).locked).toMatchObject([{ dn: grace }]);
    await store.write((tx) => tx.run('DROP TRIGGER no_unlock'));
    expect(await directory.api('POST', `ldap/users/${ids.grace}/unlock`)).toEqual({ unlocked: true });
    expect(directory.bind(grace, CANARIES.grace)).toBe(0);
  });

  test('one entry that slapd refuses holds up no other, is named, and is right again once it was applied otherwise', async () => {
    const content = (await directory.host.read(ENTRIES_FILE))!;
    // No address of mail: IA5 (RFC 4519) has no such letter. The first organization has it; the second one has another change.
    const spoiled = content
      .replace(/"mail": "ada@[^"]+"/, '"mail": "ädä@lab.test"')
      .replace('"mail": "grace@lab.test"', '"mail": "hopper@lab.test"');
    expect(spoiled).not.toBe(content);
    await directory.host.write({ path: ENTRIES_FILE, content: spoiled, mode: 0o640 });
    await until(() => directory.search(READER, SUFFIX, '(uid=grace)', 'mail').includes('mail: hopper@lab.test'));
    const marker = (suffix: string) =>
      searchDirectory(directory.host, `cn=applied,ou=system,${suffix}`, ['description'], 'base');
    await until(async () => (await marker(OTHER))[0]?.attributes.description?.[0] === sha256(spoiled));
    expect((await marker(SUFFIX))[0]?.attributes.description?.[0]).toBe(sha256(content));
    const told = await directory.api('GET', 'ldap/status');
    expect(told.refused).toEqual([{ dn: ada, detail: 'a value is not of the form that its attribute has (code 21)' }]);
    expect((await directory.apply()).state).toBe('succeeded');
    expect((await directory.api('GET', 'ldap/status')).refused).toEqual([]);
    expect(directory.search(READER, SUFFIX, '(uid=grace)', 'mail')).toContain('mail: grace@lab.test');
  });
});
