// The directory with the real slapd (needs root): a whole appliance in this process, whose host is a network namespace, and
// clients in another that trust its root certificate and nothing else.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compareHost } from '../../shared/appliance/apply/drift.ts';
import { preparePlan } from '../../shared/appliance/apply/make-plan.ts';
import type { CheckResult } from '../../shared/platform/units/unit.ts';
import { CONFIG_FILE, LISTEN_FILE, slapdDaemon, socketUrl } from '../../shared/services/ldap/files.ts';
import { ldapUnit } from '../../shared/services/ldap/unit.ts';
import { pidsOf } from '../setup/namespaces.ts';
import { until } from '../setup/until.ts';
import { ADDRESS, Directory, NAME } from './directory-scene.ts';

const SUFFIX = 'dc=lab,dc=test';
const OTHER = 'o=other';
const READER = { dn: `cn=vcenter,ou=system,${SUFFIX}`, password: '' };
const STRANGER = { dn: `cn=vcenter,ou=system,${OTHER}`, password: '' };
/** What is looked for everywhere. */
const CANARIES = { ada: 'quarrel-velvet-onion-71', grace: 'ember-walrus-cobalt-44', reader: 'tundra-fiddle-gravel-08' };
const ada = `uid=ada,ou=people,${SUFFIX}`;
const SLOW = 180_000;

let directory: Directory;
const ids: Record<string, string> = {};

const clear = `ldap://${ADDRESS}`;
const ldaps = `ldaps://${ADDRESS}`;

async function setPassword(kind: 'users' | 'bind-accounts', id: string, password?: string): Promise<string> {
  const answer = await directory.api('POST', `ldap/${kind}/${id}/password`, password === undefined ? {} : { password });
  return answer.password;
}

async function furnish(): Promise<void> {
  const create = async (path: string, body: object): Promise<string> =>
    (await directory.api('POST', `ldap/${path}`, body)).id;
  ids.lab = await create('organizations', { slug: 'lab', suffix: SUFFIX });
  ids.other = await create('organizations', { slug: 'other', suffix: OTHER });
  const organization_id = ids.lab;
  ids.ada = await create('users', { organization_id, uid: 'ada', given_name: 'Ada', surname: 'O’Hara, (x=*)' });
  ids.grace = await create('users', { organization_id, uid: 'grace', surname: 'Hopper', telephone: '+1 555 0199' });
  ids.robot = await create('users', { organization_id, uid: 'robot', surname: 'robot', kind: 'service' });
  ids.inner = await create('groups', { organization_id, name: 'Operators', member_users: ['ada'] });
  ids.outer = await create('groups', {
    organization_id,
    name: 'VCF Admins',
    member_groups: ['Operators'],
    member_users: ['grace'],
  });
  ids.empty = await create('groups', { organization_id, name: 'Nobody yet' });
  ids.reader = await create('bind-accounts', { organization_id, name: 'vcenter' });
  ids.stranger = await create('bind-accounts', { organization_id: ids.other, name: 'vcenter' });
  await setPassword('users', ids.ada!, CANARIES.ada);
  await setPassword('users', ids.grace!, CANARIES.grace);
  await setPassword('bind-accounts', ids.reader!, CANARIES.reader);
  READER.password = CANARIES.reader;
  STRANGER.password = await setPassword('bind-accounts', ids.stranger!);
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
  await furnish();
  const applied = await directory.apply();
  expect(applied).toMatchObject({ state: 'succeeded' });
  expect(applied.log).toContain(`Signed in at ${ldaps}:636, ${clear}:389 over TLS`);
}, SLOW);
afterAll(() => directory?.close());

describe('signing in', () => {
  test('over LDAPS and over StartTLS, with the root certificate and with no other', () => {
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
    expect(directory.bind(ada, CANARIES.ada)).toBe(0);
    expect(directory.bind(ada, CANARIES.ada, clear, '-ZZ')).toBe(0);
    const args = ['-x', '-D', ada, '-w', CANARIES.ada];
    for (const how of [
      ['-H', ldaps],
      ['-H', clear, '-ZZ'],
    ]) {
      const refused = directory.client('ldapwhoami', [...args, ...how], wrong);
      // The client ends it before it signs in: LDAP_CONNECT_ERROR, or no server at all.
      expect(refused).toMatchObject({
        out: '',
        said: expect.stringMatching(/Connect error|Can't contact LDAP server/),
      });
    }
  });

  test('with TLS 1.2 and 1.3, and with none before', () => {
    expect(directory.hello(636, '-tls1_1')).toMatch(/Cipher is \(NONE\)/);
    expect(directory.hello(636, '-tls1_2')).toMatch(/Cipher is (?!\(NONE\))/);
  });

  test('not without TLS, not anonymously, not with another password', () => {
    expect(directory.bind(ada, CANARIES.ada, clear)).toBe(13);
    expect(directory.client('ldapwhoami', ['-x', '-H', ldaps]).code).toBe(48);
    expect(directory.bind(`uid=robot,ou=people,${SUFFIX}`, CANARIES.ada)).toBe(49);
    expect(directory.bind(`uid=absent,ou=people,${SUFFIX}`, CANARIES.ada)).toBe(49);
  });

  test('nobody who did not sign in reads anything but what the server says of itself', () => {
    const anonymous = directory.client('ldapsearch', ['-LLL', '-x', '-H', ldaps, '-b', SUFFIX]);
    expect(anonymous).toMatchObject({ out: '' });
  });
});

describe('what clients ask', () => {
  const found = (base: string, filter: string, ...attributes: string[]) =>
    directory.search(READER, base, filter, ...attributes);

  test('users by class and name, with every attribute that VCF maps, and none that holds a password', () => {
    const lines = found(
      `ou=people,${SUFFIX}`,
      '(&(objectClass=inetOrgPerson)(uid=grace))',
      '*',
      'entryUUID',
      'memberOf',
    );
    const attributes = new Set(lines.map((line) => line.split(':')[0]));
    for (const name of ['uid', 'cn', 'sn', 'givenName', 'displayName', 'mail', 'telephoneNumber', 'employeeType'])
      expect(attributes).toContain(name);
    expect(lines).toContain('mail: grace@lab.test');
    expect(lines).toContain('telephoneNumber: +1 555 0199');
    expect(attributes).not.toContain('userPassword');
    expect(attributes).not.toContain('groundcrewPasswordMark');
  });

  test('a surname with all that DN, filter and LDIF mean something by is a value like others', () => {
    const [, sn] = found(`ou=people,${SUFFIX}`, '(uid=ada)', 'sn');
    expect(Buffer.from(sn!.replace('sn:: ', ''), 'base64').toString('utf8')).toBe('O’Hara, (x=*)');
    // By the filter of RFC 4515, escaped.
    expect(found(SUFFIX, '(sn=O’Hara, \\28x=\\2a\\29)', 'uid')).toContain('uid: ada');
  });

  test('groups are groupOfUniqueNames; memberOf goes through groups in groups', () => {
    expect(found(`ou=groups,${SUFFIX}`, '(objectClass=groupOfUniqueNames)', 'cn')).toContain('cn: VCF Admins');
    expect(found(SUFFIX, '(uid=ada)', 'memberOf').slice(1).sort()).toEqual([
      `memberOf: cn=Operators,ou=groups,${SUFFIX}`,
      `memberOf: cn=VCF Admins,ou=groups,${SUFFIX}`,
    ]);
    expect(found(SUFFIX, `(memberOf=cn=VCF Admins,ou=groups,${SUFFIX})`, 'uid')).toEqual(
      expect.arrayContaining(['uid: ada', 'uid: grace']),
    );
    expect(found(SUFFIX, `(uniqueMember=${ada})`, 'cn')).toContain('cn: Operators');
    expect(found(SUFFIX, `(entryDN=cn=VCF Admins,ou=groups,${SUFFIX})`, 'cn')).toContain('cn: VCF Admins');
  });

  test('entryUUID is that of the saved row, on users, groups and bind accounts', async () => {
    for (const [path, id, filter] of [
      ['users', ids.ada, '(uid=ada)'],
      ['groups', ids.outer, '(cn=VCF Admins)'],
    ] as const) {
      const { entry_uuid } = await directory.api('GET', `ldap/${path}/${id}`);
      expect(found(SUFFIX, filter, 'entryUUID')).toContain(`entryUUID: ${entry_uuid}`);
      expect(found(SUFFIX, `(entryUUID=${entry_uuid})`, 'cn')).not.toEqual([]);
    }
  });

  test('pages of a search', () => {
    const who = ['-x', '-H', ldaps, '-D', READER.dn, '-w', READER.password, '-b', SUFFIX];
    const paged = directory.client('ldapsearch', [
      '-LLL',
      '-E',
      'pr=2/noprompt',
      ...who,
      '(objectClass=inetOrgPerson)',
      'uid',
    ]);
    expect(paged.out.match(/^uid: /gm)).toHaveLength(3);
  });

  test('a bind account reads its own organization and nothing of another; a user reads his own entry', () => {
    expect(directory.search(STRANGER, SUFFIX, '(uid=ada)', 'uid')).toEqual(['code 32']);
    expect(directory.search(READER, OTHER, '(objectClass=*)')).toEqual(['code 32']);
    expect(directory.search({ dn: ada, password: CANARIES.ada }, ada, '(objectClass=*)', 'uid')).toContain('uid: ada');
    expect(directory.search({ dn: ada, password: CANARIES.ada }, SUFFIX, '(uid=grace)', 'uid')).toEqual(['code 32']);
  });

  test('nobody changes anything over the network', () => {
    const change = directory.path('change.ldif');
    writeFileSync(change, `dn: ${ada}\nchangetype: modify\nreplace: mail\nmail: x@lab.test\n`);
    for (const { dn, password } of [READER, { dn: ada, password: CANARIES.ada }])
      expect(directory.client('ldapmodify', ['-x', '-H', ldaps, '-D', dn, '-w', password, '-f', change]).code).toBe(50);
  });
});

describe('accounts', () => {
  const grace = `uid=grace,ou=people,${SUFFIX}`;

  test('three wrong passwords lock, which the status tells; unlocking is at once, and audited', async () => {
    for (let wrong = 0; wrong < 3; wrong += 1) expect(directory.bind(grace, 'no')).toBe(49);
    expect(directory.bind(grace, CANARIES.grace)).toBe(49);
    const status = await directory.api('GET', 'ldap/status');
    expect(status).toMatchObject({ running: true, locked: [{ dn: grace }] });
    expect(await directory.api('POST', `ldap/users/${ids.grace}/unlock`)).toEqual({ unlocked: true });
    // What was counted went with the lock.
    expect(directory.bind(grace, 'no')).toBe(49);
    expect(directory.bind(grace, CANARIES.grace)).toBe(0);
    expect(await directory.api('POST', `ldap/users/${ids.grace}/unlock`)).toEqual({ unlocked: false });
  });

  test('what is tried as the entry of the probe locks nothing', () => {
    const probe = `cn=applied,ou=system,${SUFFIX}`;
    for (let wrong = 0; wrong < 5; wrong += 1) expect(directory.bind(probe, 'no')).toBe(49);
    return directory.apply().then(({ state }) => expect(state).toBe('succeeded'));
  });

  test('a new password counts from its apply on, the former one until then; no earlier one is taken again', async () => {
    const next = 'lantern-mosaic-puddle-93';
    await setPassword('users', ids.grace!, next);
    expect(directory.bind(grace, next)).toBe(49);
    expect(directory.bind(grace, CANARIES.grace)).toBe(0);
    expect((await directory.apply()).state).toBe('succeeded');
    expect(directory.bind(grace, next)).toBe(0);
    expect(directory.bind(grace, CANARIES.grace)).toBe(49);
    const again = await directory.house.send('POST', `/api/v1/ldap/users/${ids.grace}/password`, {
      token: directory.admin.token,
      body: { password: CANARIES.grace },
    });
    expect(again.status).toBe(422);
    CANARIES.grace = next;
  });

  test('a generated password is told once, and signs in', async () => {
    const made = await setPassword('users', ids.robot!);
    expect((await directory.apply()).state).toBe('succeeded');
    expect(directory.bind(`uid=robot,ou=people,${SUFFIX}`, made)).toBe(0);
  });

  test(
    'who is disabled is there and can’t sign in; a disabled bind account can’t read either',
    async () => {
      await directory.api('PATCH', `ldap/users/${ids.grace}`, { enabled: false });
      expect((await directory.apply()).state).toBe('succeeded');
      expect(directory.bind(grace, CANARIES.grace)).toBe(49);
      expect(directory.search(READER, SUFFIX, '(uid=grace)', 'uid')).toContain('uid: grace');
      // Nor where no wrong password locks, nor with a new one: slapd ends a lock with each.
      await directory.api('PATCH', 'ldap/settings', { password_max_failures: 0 });
      CANARIES.grace = 'puddle-lantern-orbit-57';
      await setPassword('users', ids.grace!, CANARIES.grace);
      expect((await directory.apply()).state).toBe('succeeded');
      expect(directory.bind(grace, CANARIES.grace)).toBe(49);
      await directory.api('PATCH', 'ldap/settings', { password_max_failures: 3 });
      // It is no lock that a button ends.
      expect(await directory.api('POST', `ldap/users/${ids.grace}/unlock`)).toEqual({ unlocked: false });
      await directory.api('PATCH', `ldap/users/${ids.grace}`, { enabled: true });
      CANARIES.grace = 'orbit-mosaic-lantern-24';
      await setPassword('users', ids.grace!, CANARIES.grace);
      await directory.api('PATCH', `ldap/bind-accounts/${ids.stranger}`, { enabled: false });
      expect((await directory.apply()).state).toBe('succeeded');
      expect(directory.bind(grace, CANARIES.grace)).toBe(0);
      expect(directory.bind(STRANGER.dn, STRANGER.password)).toBe(49);
    },
    SLOW,
  );
});

describe('the daemon', () => {
  const pids = () => pidsOf(directory.lab.appliance, 'slapd');

  test('a change of entries restarts nothing', async () => {
    const before = pids();
    expect(before).toHaveLength(1);
    await directory.api('PATCH', `ldap/users/${ids.ada}`, { mail: 'ada@elsewhere.test' });
    expect((await directory.apply()).state).toBe('succeeded');
    expect(pids()).toEqual(before);
    expect(directory.search(READER, SUFFIX, '(uid=ada)', 'mail')).toContain('mail: ada@elsewhere.test');
  });

  /** Applies what another render makes of it. */
  async function withRendered<T>(
    path: string,
    change: (content: string) => string,
    work: () => Promise<T>,
  ): Promise<T> {
    const { render } = ldapUnit;
    ldapUnit.render = (desired, resolve) =>
      render(desired, resolve).map((file) => (file.path === path ? { ...file, content: change(file.content) } : file));
    return work().finally(() => {
      ldapUnit.render = render;
    });
  }

  test('a configuration that slapd refuses is refused with its plan, and the old one goes on serving', async () => {
    const before = pids();
    const spoiled = (content: string) => content.replaceAll('by * none', 'by nobody sometimes');
    await withRendered(CONFIG_FILE, spoiled, async () => {
      await expect(directory.apply()).rejects.toThrow('LDAP did not pass validation');
      const prepared = await preparePlan(directory.house.services, [ldapUnit], 'test', {
        units: ['ldap'],
        reapply: true,
      });
      const check = prepared.plan.units[0]?.check as CheckResult;
      expect(check.faults.join()).toMatch(/slapadd: could not add entry dn="olcDatabase=\{-1\}frontend,cn=config"/);
    });
    expect(pids()).toEqual(before);
    expect(directory.bind(ada, CANARIES.ada)).toBe(0);
  });

  test(
    'one that passes and does not start is put back, and the former one serves again',
    async () => {
      const elsewhere = (content: string) => content.replaceAll(ADDRESS, '10.88.0.77');
      const { state, log } = await withRendered(LISTEN_FILE, elsewhere, () => directory.apply());
      expect({ state, log }).toMatchObject({ state: 'failed', log: expect.stringContaining('slapd') });
      expect(directory.bind(ada, CANARIES.ada)).toBe(0);
    },
    SLOW,
  );

  test('what was changed by hand is told, and the next apply puts it right', async () => {
    const change = directory.path('by-hand.ldif');
    const stranger = `uid=eve,ou=people,${SUFFIX}`;
    writeFileSync(
      change,
      `dn: ${stranger}\nchangetype: add\nobjectClass: inetOrgPerson\nuid: eve\ncn: Eve\nsn: Eve\n\ndn: ${ada}\nchangetype: modify\nreplace: mail\nmail: eve@lab.test\n`,
    );
    const url = socketUrl(directory.host);
    expect(spawnSync('ldapmodify', ['-Y', 'EXTERNAL', '-Q', '-H', url, '-f', change]).status).toBe(0);
    const told = JSON.stringify([...(await compareHost(directory.house.services, [ldapUnit])).findings.values()]);
    expect(told).toContain(`${stranger} is there, though nobody applied it`);
    expect(told).toContain(`${ada} was changed (mail)`);
    expect((await directory.apply()).state).toBe('succeeded');
    await until(() => directory.search(READER, SUFFIX, '(uid=eve)', 'uid').length === 0);
    expect(directory.search(READER, SUFFIX, '(uid=ada)', 'mail')).toContain('mail: ada@elsewhere.test');
  });

  test('killed, it is found not to run, and the next apply starts it with what it held', async () => {
    process.kill(pids()[0]!, 'SIGKILL');
    // A process that is killed ends when its turn of the processor comes.
    await until(async () => !(await directory.host.daemonRunning(slapdDaemon(directory.host))));
    expect((await directory.apply()).state).toBe('succeeded');
    expect(directory.bind(ada, CANARIES.ada)).toBe(0);
  });

  test(
    'an organization that is disabled is not served; served again, the same users sign in with the same identity',
    async () => {
      const { entry_uuid } = await directory.api('GET', `ldap/users/${ids.ada}`);
      await directory.api('PATCH', `ldap/organizations/${ids.lab}`, { enabled: false });
      expect((await directory.apply()).state).toBe('succeeded');
      expect(directory.bind(ada, CANARIES.ada)).toBe(49);
      await directory.api('PATCH', `ldap/organizations/${ids.lab}`, { enabled: true });
      expect((await directory.apply()).state).toBe('succeeded');
      expect(directory.bind(ada, CANARIES.ada)).toBe(0);
      expect(directory.search(READER, SUFFIX, '(uid=ada)', 'entryUUID')).toContain(`entryUUID: ${entry_uuid}`);
    },
    SLOW,
  );

  test(
    'plain sign-in is let in where it is allowed, and the probe tells',
    async () => {
      await directory.api('PATCH', 'ldap/settings', { allow_plain_bind: true });
      expect((await directory.apply()).state).toBe('succeeded');
      expect(directory.bind(ada, CANARIES.ada, clear)).toBe(0);
      await directory.api('PATCH', 'ldap/settings', { allow_plain_bind: false });
      expect((await directory.apply()).state).toBe('succeeded');
      expect(directory.bind(ada, CANARIES.ada, clear)).toBe(13);
    },
    SLOW,
  );
});

/** Every file below a folder. */
function* filesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) yield* filesBelow(path);
    else if (found?.isFile()) yield path;
  }
}

test('no password is anywhere: not in files, database, log, audit or answers, and every hash is argon2id', async () => {
  for (const path of filesBelow(directory.folder)) {
    const text = readFileSync(path, 'latin1');
    for (const password of [...Object.values(CANARIES), STRANGER.password])
      expect({ path, found: text.includes(password) }).toEqual({ path, found: false });
  }
  const said = directory.logged.join('\n');
  for (const password of Object.values(CANARIES)) expect(said).not.toContain(password);
  const rows = await directory.house.services.store.all<{ hash: string }>('SELECT hash FROM ldap_password');
  for (const { hash } of rows) expect(hash).toMatch(/^\{ARGON2\}\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const audited = await directory.house.services.store.all<{ detail: string }>('SELECT detail FROM audit_event');
  const all = audited.map(({ detail }) => detail).join('\n');
  for (const password of [...Object.values(CANARIES), STRANGER.password]) expect(all).not.toContain(password);
  expect(all).not.toContain('argon2id');
});
