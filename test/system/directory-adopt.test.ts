// What somebody changed in the real slapd by hand becomes the desired state by ordinary edits (needs root): values of users,
// members of groups, users and groups that were added. No password does, and nothing of one is shown.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { preparePlan } from '../../shared/appliance/apply/make-plan.ts';
import { networkUnit } from '../../shared/platform/network/unit.ts';
import { socketUrl } from '../../shared/services/ldap/files.ts';
import { searchDirectory } from '../../shared/services/ldap/follow/socket.ts';
import { ldapUnit } from '../../shared/services/ldap/unit.ts';
import { until } from '../setup/until.ts';
import { Directory, NAME } from './directory-scene.ts';

const SUFFIX = 'dc=lab,dc=test';
const READER = { dn: `cn=vcenter,ou=system,${SUFFIX}`, password: 'tundra-fiddle-gravel-08' };
const ADA = 'quarrel-velvet-onion-71';
/** Set in slapd by hand. */
const CANARIES = ['canary-by-hand-of-ada-1', 'canary-by-hand-of-eve-2'];
const dnOf = (uid: string): string => `uid=${uid},ou=people,${SUFFIX}`;
const ADOPT = 'apply/drift/ldap/adopt';
const SLOW = 240_000;

let directory: Directory;
const ids: Record<string, string> = {};

beforeAll(async () => {
  directory = await Directory.open();
  const settings = { enabled: true, hostname: NAME, listen_interfaces: ['lab0'], ldap_enabled: true };
  await directory.api('PATCH', 'ldap/settings', settings);
  const create = async (path: string, body: object): Promise<string> =>
    (await directory.api('POST', `ldap/${path}`, body)).id;
  const organization_id = await create('organizations', { slug: 'lab', suffix: SUFFIX });
  for (const uid of ['ada', 'grace', 'gone'])
    ids[uid] = await create('users', { organization_id, uid, surname: 'Lovelace' });
  ids.operators = await create('groups', { organization_id, name: 'Operators', member_users: ['ada', 'gone'] });
  ids.reader = await create('bind-accounts', { organization_id, name: 'vcenter' });
  await directory.api('POST', `ldap/users/${ids.ada}/password`, { password: ADA });
  await directory.api('POST', `ldap/bind-accounts/${ids.reader}/password`, { password: READER.password });
  expect(await directory.apply()).toMatchObject({ state: 'succeeded' });
}, SLOW);
afterAll(() => directory?.close());

function byHand(ldif: string): void {
  const args = ['-Y', 'EXTERNAL', '-Q', '-e', 'relax', '-H', socketUrl(directory.host)];
  const { status, stderr } = spawnSync('ldapmodify', args, { input: ldif, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}

const report = async () =>
  (await directory.api('POST', 'apply/drift/compare')).items.find(({ unit }: { unit: string }) => unit === 'ldap');

const uuidOf = async (dn: string) =>
  (await searchDirectory(directory.host, dn, ['entryUUID'], 'base'))[0]?.attributes.entryUUID?.[0];

/** What the plan says that was changed by hand, of units whose saved state differs or that are applied once more. */
async function overwritten(): Promise<string[] | null | undefined> {
  await directory.certify();
  const { plan } = await preparePlan(directory.house.services, [networkUnit, ldapUnit], 'test');
  const unit = plan.units.find(({ id }) => id === 'ldap');
  return unit && (unit.drift?.lines ?? null);
}

const RECORDS = [
  `dn: ${dnOf('ada')}\nchangetype: modify\nreplace: mail\nmail: lovelace@lab.test\n-\nreplace: telephoneNumber\ntelephoneNumber: +1 555 0123\n-\nadd: title\ntitle: Countess\n-\nreplace: userPassword\nuserPassword: ${CANARIES[0]}\n-\ndelete: groundcrewPasswordMark\n`,
  `dn: ${dnOf('grace')}\nchangetype: modify\nadd: pwdAccountLockedTime\npwdAccountLockedTime: 000001010000Z\n`,
  `dn: ${dnOf('gone')}\nchangetype: delete\n`,
  `dn: ${dnOf('eve')}\nchangetype: add\nobjectClass: inetOrgPerson\nuid: eve\ncn: Eve Online\nsn: Online\nmail: eve@lab.test\nuserPassword: ${CANARIES[1]}\n`,
  `dn: cn=Guests,ou=groups,${SUFFIX}\nchangetype: add\nobjectClass: groupOfUniqueNames\ncn: Guests\nuniqueMember: ${dnOf('eve')}\n`,
  `dn: cn=Operators,ou=groups,${SUFFIX}\nchangetype: modify\nadd: uniqueMember\nuniqueMember: ${dnOf('grace')}\nuniqueMember: cn=stranger,o=elsewhere\n`,
  `dn: cn=odd,ou=people,${SUFFIX}\nchangetype: add\nobjectClass: organizationalRole\ncn: odd\n`,
];

test(
  'values, members and new entries are saved by ordinary edits; the rest is named, and is put right by the next apply',
  async () => {
    byHand(RECORDS.join('\n'));
    const eve = await uuidOf(dnOf('eve'));
    const told = await report();
    expect(told).toMatchObject({ state: 'drifted', adoptable: true, not_adoptable: null });
    expect(told.lines).toContain(
      `${dnOf('eve')} is there, though nobody applied it: the next apply removes it, unless it is adopted as user eve of lab`,
    );
    expect(told.lines).toContain(
      `cn=odd,ou=people,${SUFFIX} is there, though nobody applied it: the next apply removes it`,
    );
    const page = await directory.house.send('GET', '/ui/management/appliance-apply/drift/ldap/adopt', {
      session: directory.admin,
    });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('User eve of lab')]);
    expect(page.text).toContain('lovelace@lab.test');
    expect(page.text).toContain('+grace');

    const adopted = await directory.api('POST', ADOPT);
    const rows = adopted.rows.map(({ name, change, members }: { name: string; change: string; members: string[] }) => [
      name,
      change,
      ...(change === 'changed' ? [members.toSorted().join(' ')] : []),
    ]);
    expect(rows.toSorted()).toEqual([
      ['Group Guests of lab', 'created'],
      ['Group Operators of lab', 'changed', 'member_users'],
      ['User ada of lab', 'changed', 'mail telephone'],
      ['User eve of lab', 'created'],
      ['User grace of lab', 'changed', 'enabled'],
    ]);
    expect(adopted.left.join('\n')).toContain('User ada of lab: its password was set by hand');
    expect(adopted.left.join('\n')).toContain('it has title by hand');
    expect(adopted.left.join('\n')).toContain('cn=stranger,o=elsewhere is none of lab');
    expect(adopted.left.join('\n')).toContain(`${dnOf('gone')} is missing`);
    expect(adopted.left.join('\n')).toContain(`cn=odd,ou=people,${SUFFIX}: nobody applied it`);
    expect(await directory.api('GET', `ldap/users/${ids.ada}`)).toMatchObject({ mail: 'lovelace@lab.test' });
    expect(await directory.api('GET', `ldap/users/${ids.grace}`)).toMatchObject({ enabled: false });
    expect((await directory.api('GET', 'ldap/users?uid=eve')).items).toMatchObject([
      { entry_uuid: eve, mail: 'eve@lab.test' },
    ]);
    expect((await directory.api('GET', `ldap/groups/${ids.operators}`)).member_users).toEqual(['ada', 'gone', 'grace']);
    const { items } = await directory.api('GET', 'audit?limit=20');
    const actions = items.map(({ action }: { action: string }) => action);
    for (const action of [
      'drift.adopt',
      'ldap.user.update',
      'ldap.user.create',
      'ldap.group.update',
      'ldap.group.create',
    ])
      expect(actions).toContain(action);

    // What was left would be overwritten, and the review says so.
    expect((await overwritten())?.join('\n')).toContain(`${dnOf('ada')} was changed`);
    expect((await directory.apply()).state).toBe('succeeded');
    expect(await uuidOf(dnOf('eve'))).toBe(eve);
    expect(directory.search(READER, SUFFIX, '(cn=odd)', 'cn')).toEqual([]);
    expect(directory.search(READER, SUFFIX, '(uid=gone)', 'uid')).toContain('uid: gone');
    expect(directory.search(READER, SUFFIX, '(uid=ada)', 'mail', 'title')).toEqual([
      `dn: ${dnOf('ada')}`,
      'mail: lovelace@lab.test',
    ]);
    expect(directory.search(READER, SUFFIX, '(cn=Operators)', 'uniqueMember').length).toBe(4);
    expect(directory.bind(dnOf('ada'), ADA)).toBe(0);
    expect(directory.bind(dnOf('ada'), CANARIES[0]!)).toBe(49);
    expect(directory.bind(dnOf('eve'), CANARIES[1]!)).not.toBe(0);
    expect(await report()).toMatchObject({ state: 'none' });
  },
  SLOW,
);

test(
  'what was adopted whole asks for no leave to overwrite it',
  async () => {
    byHand(
      `dn: ${dnOf('ada')}\nchangetype: modify\nreplace: mail\nmail: countess@lab.test\n\ndn: ${dnOf('max')}\nchangetype: add\nobjectClass: inetOrgPerson\nuid: max\ncn: Max\nsn: Mustermann\n`,
    );
    await directory.api('PATCH', `ldap/users/${ids.gone}`, { telephone: '555-0177' });
    expect(await overwritten()).toHaveLength(2);
    expect((await directory.api('POST', ADOPT)).left).toEqual([]);
    expect(await overwritten()).toBeNull();
    expect((await directory.api('POST', ADOPT)).rows).toEqual([]);
    expect((await directory.apply()).state).toBe('succeeded');
    expect(directory.search(READER, SUFFIX, '(uid=max)', 'sn', 'displayName')).toContain('displayName: Max');
  },
  SLOW,
);

test.each([
  [
    'a value that is none here',
    `dn: ${dnOf('ada')}\nchangetype: modify\nreplace: telephoneNumber\ntelephoneNumber: call me\n`,
    'telephone',
  ],
  ['two values', `dn: ${dnOf('ada')}\nchangetype: modify\nadd: mail\nmail: two@lab.test\n`, 'It has several mail.'],
  [
    'names that differ',
    `dn: ${dnOf('ada')}\nchangetype: modify\nreplace: cn\ncn: One\n-\nreplace: displayName\ndisplayName: Two\n`,
    'one value',
  ],
])(
  '%s can’t be saved: nothing is, and the blocker says why',
  async (_what, ldif, reason) => {
    byHand(ldif);
    const before = await directory.api('GET', `ldap/users/${ids.ada}`);
    const refused = await directory.house.send('POST', `/api/v1/${ADOPT}`, { token: directory.admin.token });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(reason)]);
    expect(await directory.api('GET', `ldap/users/${ids.ada}`)).toEqual(before);
    await directory.apply();
    await until(async () => (await report()).state === 'none');
  },
  SLOW,
);

test('whoever may not edit the directory adopts nothing', async () => {
  const { token } = await directory.house.actor('viewer');
  const answer = await directory.house.send('POST', `/api/v1/${ADOPT}`, { token });
  expect(answer.status).toBe(403);
});

test('no password that was set by hand, and no hash, is in an answer, the log, the audit log or the rows', async () => {
  const { store } = directory.house.services;
  const told = [
    ...directory.house.heard.map(({ answer }) => answer.body),
    ...directory.logged,
    JSON.stringify(await store.all('SELECT * FROM audit_event')),
    JSON.stringify(await store.all('SELECT * FROM ldap_password')),
    JSON.stringify(await store.all('SELECT * FROM unit_drift')),
  ].join('\n');
  for (const canary of CANARIES) expect(told).not.toContain(canary);
  const answers = directory.house.heard.map(({ answer }) => answer.body).join('\n');
  expect(answers).not.toContain('{ARGON2}');
});
