// What each client asks a directory, as its vendor says (real slapd, needs root): over LDAPS and StartTLS, with ldapsearch, which
// trusts our root certificate and nothing else.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ADDRESS, Directory, NAME } from './directory-scene.ts';

const SUFFIX = 'dc=lab,dc=test';
const PEOPLE = `ou=people,${SUFFIX}`;
const GROUPS = `ou=groups,${SUFFIX}`;
const READER = { dn: `cn=vcenter,ou=system,${SUFFIX}`, password: 'tundra-fiddle-gravel-08' };
const ADA = `uid=ada,${PEOPLE}`;
const SLOW = 240_000;
/** What VCF Identity Broker and VCF Automation map, by their cards. */
const MAPPED = 'uid cn sn givenName displayName mail telephoneNumber employeeType entryUUID'.split(' ');

let directory: Directory;
let organization_id: string;

beforeAll(async () => {
  directory = await Directory.open();
  const settings = { enabled: true, hostname: NAME, listen_interfaces: ['lab0'], ldap_enabled: true };
  await directory.api('PATCH', 'ldap/settings', settings);
  const create = async (path: string, body: object): Promise<string> =>
    (await directory.api('POST', `ldap/${path}`, body)).id;
  organization_id = await create('organizations', { slug: 'lab', suffix: SUFFIX });
  // The least that a user can have here: a client refuses an entry without all that it maps.
  for (const uid of ['ada', 'grace', 'max']) await create('users', { organization_id, uid, surname: 'Lovelace' });
  await create('groups', { organization_id, name: 'inner', member_users: ['ada'] });
  await create('groups', { organization_id, name: 'outer', member_groups: ['inner'], member_users: ['grace'] });
  await create('groups', { organization_id, name: 'empty' });
  const reader = await create('bind-accounts', { organization_id, name: 'vcenter' });
  await directory.api('POST', `ldap/bind-accounts/${reader}/password`, { password: READER.password });
  expect(await directory.apply()).toMatchObject({ state: 'succeeded' });
}, SLOW);
afterAll(() => directory?.close());

const found = (base: string, filter: string, ...attributes: string[]): string[] =>
  directory.search(READER, base, filter, ...attributes);
/** The first values of the distinguished names of what was found. */
const names = (base: string, filter: string): string[] =>
  found(base, filter, '1.1').map((line) => /^dn: (?:uid|cn)=([^,]+),/.exec(line)?.[1] ?? line);

describe('ldapsearch', () => {
  const WAYS = {
    LDAPS: ['-H', `ldaps://${ADDRESS}`],
    StartTLS: ['-ZZ', '-H', `ldap://${ADDRESS}`],
  };
  const asking = (way: string[], ca?: string) =>
    directory.client(
      'ldapsearch',
      ['-LLL', '-x', ...way, '-D', READER.dn, '-w', READER.password, '-b', PEOPLE, '(uid=ada)', 'uid'],
      ca,
    );

  test.each(Object.entries(WAYS))(
    'over %s: with our root it finds, with another it does not even sign in',
    (_how, way) => {
      expect(asking(way)).toMatchObject({ code: 0, out: expect.stringContaining('uid: ada') });
      const wrong = directory.path('wrong.pem');
      const made = [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-keyout',
        '/dev/null',
        '-out',
        wrong,
        '-subj',
        '/CN=x',
      ];
      expect(spawnSync('openssl', made).status).toBe(0);
      expect(asking(way, wrong)).toMatchObject({
        out: '',
        said: expect.stringMatching(/Connect error|Can't contact LDAP server/),
      });
    },
  );
});

describe('vCenter', () => {
  test('the bind account by its full name; users by class and name; groups by the members that they have', () => {
    expect(directory.bind(READER.dn, READER.password)).toBe(0);
    expect(names(PEOPLE, '(&(objectClass=inetOrgPerson)(uid=ada))')).toEqual(['ada']);
    expect(names(PEOPLE, '(&(objectClass=inetOrgPerson)(|(uid=*ra*)(sn=*ra*)))')).toEqual(['grace']);
    expect(names(GROUPS, '(objectClass=groupOfUniqueNames)').toSorted()).toEqual(['empty', 'inner', 'outer']);
    expect(names(GROUPS, `(&(objectClass=groupOfUniqueNames)(uniqueMember=${ADA}))`)).toEqual(['inner']);
    expect(names(GROUPS, `(&(objectClass=groupOfUniqueNames)(uniqueMember=cn=inner,${GROUPS}))`)).toEqual(['outer']);
  });

  test('entryUUID is on each user and group, once, and finds it', () => {
    for (const [base, filter, many] of [
      [PEOPLE, '(objectClass=inetOrgPerson)', 3],
      [GROUPS, '(objectClass=groupOfUniqueNames)', 3],
    ] as const) {
      const uuids = found(base, filter, 'entryUUID').filter((line) => line.startsWith('entryUUID: '));
      expect(new Set(uuids).size).toBe(many);
      for (const uuid of uuids) expect(names(base, `(entryUUID=${uuid.slice('entryUUID: '.length)})`)).toHaveLength(1);
    }
  });
});

describe('VCF Identity Broker', () => {
  test('every user has every mapped attribute, with one value', () => {
    for (const uid of names(PEOPLE, '(objectClass=inetOrgPerson)')) {
      const lines = found(PEOPLE, `(&(objectClass=inetOrgPerson)(uid=${uid}))`, ...MAPPED);
      const attributes = lines.slice(1).map((line) => line.split(':')[0]);
      expect([uid, attributes.toSorted()]).toEqual([uid, MAPPED.toSorted()]);
    }
  });

  test('memberOf, asked for by name, is of groups in groups too, and finds users and groups', () => {
    const groupsOf = (filter: string) =>
      found(SUFFIX, filter, 'memberOf')
        .filter((line) => line.startsWith('memberOf: '))
        .toSorted();
    expect(groupsOf('(uid=ada)')).toEqual([`memberOf: cn=inner,${GROUPS}`, `memberOf: cn=outer,${GROUPS}`]);
    expect(groupsOf('(uid=grace)')).toEqual([`memberOf: cn=outer,${GROUPS}`]);
    expect(groupsOf('(uid=max)')).toEqual([]);
    expect(names(SUFFIX, `(memberOf=cn=outer,${GROUPS})`).toSorted()).toEqual(['ada', 'grace', 'inner']);
  });

  test('the bind user is found by a filter', () => {
    expect(names(SUFFIX, '(&(objectClass=organizationalRole)(cn=vcenter))')).toEqual(['vcenter']);
  });
});

describe('VCF Automation', () => {
  test('the back link of a group: entryDN is its own name, and matches it alone', () => {
    expect(names(SUFFIX, `(entryDN=cn=outer,${GROUPS})`)).toEqual(['outer']);
    expect(names(SUFFIX, `(dn=cn=outer,${GROUPS})`)).toEqual([]);
  });

  test('users come in pages, service accounts are told from persons', async () => {
    await directory.api('POST', 'ldap/users', { organization_id, uid: 'robot', surname: 'robot', kind: 'service' });
    expect((await directory.apply()).state).toBe('succeeded');
    const who = ['-x', '-H', `ldaps://${ADDRESS}`, '-D', READER.dn, '-w', READER.password, '-b', PEOPLE];
    const paged = directory.client('ldapsearch', [
      '-LLL',
      '-E',
      'pr=1/noprompt',
      ...who,
      '(objectClass=inetOrgPerson)',
      'uid',
    ]);
    expect(paged.out.match(/^uid: /gm)).toHaveLength(4);
    expect(names(PEOPLE, '(employeeType=serviceAccount)')).toEqual(['robot']);
    expect(names(PEOPLE, '(employeeType=person)').toSorted()).toEqual(['ada', 'grace', 'max']);
  });
});

describe('NSX', () => {
  test('from the base of the organization, users and groups, by StartTLS as well', () => {
    for (const [filter, name] of [
      ['(&(objectClass=inetOrgPerson)(uid=ada))', 'uid: ada'],
      ['(&(objectClass=groupOfUniqueNames)(cn=inner))', 'cn: inner'],
    ] as const) {
      const way = ['-ZZ', '-H', `ldap://${ADDRESS}`, '-D', READER.dn, '-w', READER.password, '-b', SUFFIX];
      expect(directory.client('ldapsearch', ['-LLL', '-x', ...way, filter, 'uid', 'cn']).out).toContain(name);
    }
  });
});

test('a group is of the one class: no entry has member, which clients of another class would look for', () => {
  expect(names(SUFFIX, '(objectClass=groupOfNames)')).toEqual([]);
  expect(names(SUFFIX, '(member=*)')).toEqual([]);
});
