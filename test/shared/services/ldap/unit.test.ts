// The directory as data: what may be a name, slapd's files and the guard that lets them pass, entries and their differences,
// and what the change of a fact means.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { GUARD } from '../../../../shared/appliance/host-guard.ts';
import { differences } from '../../../../shared/platform/units/facts.ts';
import { actionFor } from '../../../../shared/services/ldap/activate.ts';
import { desiredFaults } from '../../../../shared/services/ldap/check.ts';
import type { LdapDesired } from '../../../../shared/services/ldap/desired.ts';
import { parseEntries, writeEntries } from '../../../../shared/services/ldap/entries.ts';
import { CONFIG_FILE, ENTRIES_FILE, LISTEN_FILE, START } from '../../../../shared/services/ldap/files.ts';
import { changesBetween } from '../../../../shared/services/ldap/follow/difference.ts';
import { type Change, parseEntriesOf, writeChanges } from '../../../../shared/services/ldap/follow/ldif.ts';
import { refusalOf } from '../../../../shared/services/ldap/follow/refusal.ts';
import { wantedEntries } from '../../../../shared/services/ldap/follow/wanted.ts';
import { bindRequest, nextAnswer } from '../../../../shared/services/ldap/ldap-message.ts';
import { canonicalSuffix, GROUP_NAME, isBelow, suffixFault } from '../../../../shared/services/ldap/names.ts';
import { argon2idHash, isHashOf } from '../../../../shared/services/ldap/password-hash.ts';
import { generatedPassword } from '../../../../shared/services/ldap/passwords.ts';
import { faultOf } from '../../../../shared/services/ldap/probe.ts';
import { render } from '../../../../shared/services/ldap/render.ts';
import { ldapSettings } from '../../../../shared/services/ldap/settings.ts';
import { ldapUnit } from '../../../../shared/services/ldap/unit.ts';

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const ada = {
  uid: 'ada',
  kind: 'person' as const,
  given_name: 'Ada',
  surname: 'Lovelace',
  display_name: 'Ada Lovelace',
  mail: 'ada@lab.test',
  telephone: '555-0100',
  entry_uuid: UUID,
  enabled: true,
  mark: 'aa',
};
const LAB = {
  slug: 'lab',
  suffix: 'dc=lab,dc=test',
  users: [ada],
  groups: [{ name: 'VCF Admins', entry_uuid: UUID.replace('0f', '1f'), users: ['ada'], groups: [] }],
  accounts: [{ name: 'vcenter', entry_uuid: UUID.replace('0f', '2f'), mark: '' }],
};
const desired = (rest: Partial<LdapDesired> = {}, settings: Partial<LdapDesired['settings']> = {}): LdapDesired => ({
  settings: { ...ldapSettings.defaults, enabled: true, ldap_enabled: true, listen_interfaces: ['ens192'], ...settings },
  listen: [{ name: 'ens192', usable: true, addresses: ['10.10.0.5', 'fd10::5'] }],
  organizations: [LAB, { slug: 'o-2', suffix: 'o=other', users: [], groups: [], accounts: [] }],
  authority: { pem: 'PEM', sha256: 'AA:BB' },
  certificate: null,
  ...rest,
});
const same = (path: string) => path;

describe('names', () => {
  test.each([
    ['DC=Lab , dc = Example', 'dc=lab,dc=example'],
    ['o=acme', 'o=acme'],
  ])('suffix %s is %s', (typed, canonical) => {
    expect([canonicalSuffix(typed), suffixFault(canonicalSuffix(typed))]).toEqual([canonical, null]);
  });

  test.each(['', 'lab', 'cn=lab', 'dc=a\\2cb', 'dc=a b', 'dc=a+o=b', 'dc=a\ndc=b', 'dc="a"', 'dc=a,', 'dc=*', 'dc=-a'])(
    'suffix %j is refused',
    (typed) => expect(suffixFault(canonicalSuffix(typed))).not.toBeNull(),
  );

  test('a tree is below itself and its top, and below nothing that merely ends alike', () => {
    expect(isBelow('dc=a,dc=b', 'dc=b')).toBe(true);
    expect(isBelow('dc=b', 'dc=b')).toBe(true);
    expect(isBelow('dc=ab', 'dc=b')).toBe(false);
  });

  test('names of groups', () => {
    for (const name of ['VCF Admins', 'a', 'x.y_z-1']) expect(name).toMatch(GROUP_NAME);
    for (const name of [
      '',
      ' a',
      'a ',
      'a  b',
      'a,b',
      'a=b',
      'a+b',
      'a"',
      'a\\',
      'a#',
      'a;',
      'a<',
      'a*',
      'a(',
      'a\n',
      'ä',
    ])
      expect(name).not.toMatch(GROUP_NAME);
  });
});

describe('files', () => {
  test('none while it is off', () => {
    expect(render(desired({}, { enabled: false }), same)).toEqual([]);
  });

  test('the guard of the root step lets them pass, and nothing that a person could add', () => {
    const files = render(desired(), same);
    expect(files.map((file) => [file.path, GUARD.fileRefusal(file)])).toEqual(files.map(({ path }) => [path, null]));
    const [config, listen] = files;
    for (const line of [
      'olcModuleLoad: back_perl.so',
      'olcDbDirectory: /etc',
      'olcAccess: {3}to * by * write',
      'olcRootPW: secret',
      'olcPidFile: /etc/passwd',
      'include: file:///etc/shadow',
      'olcSuffix: dc=a"b',
    ])
      expect(GUARD.fileRefusal({ ...config!, content: `${config!.content}${line}\n` })).toMatch(
        /is none that the unit/,
      );
    // A line that begins with a blank goes on the one before it, whatever it looks like.
    for (const [line, more] of [
      ['olcDbDirectory: ', ' #/../../../../../etc'],
      ['# Written', ' # by somebody'],
      ['olcSuffix: ', ' '],
      ['olcLogLevel: ', '\t# all'],
    ])
      expect(
        GUARD.fileRefusal({ ...config!, content: config!.content.replace(RegExp(`^${line}.*$`, 'm'), `$&\n${more}`) }),
      ).toMatch(/is none that the unit/);
    expect(GUARD.fileRefusal({ ...listen!, content: `ldap://0.0.0.0:389/ -d ${listen!.content}` })).not.toBeNull();
  });

  test('it listens at every address with both protocols, and at its socket', () => {
    const listen = render(desired(), same).find(({ path }) => path === LISTEN_FILE)!;
    expect(listen.content).toBe(
      'ldaps://10.10.0.5:636/ ldap://10.10.0.5:389/ ldaps://[fd10::5]:636/ ldap://[fd10::5]:389/ ldapi://%2Frun%2Fgroundcrew%2Fldap%2Fldapi\n',
    );
  });

  test('every database has a root name, without which nobody is ever locked, and one that is allowed no password', () => {
    const config = render(desired(), same).find(({ path }) => path === CONFIG_FILE)!.content;
    expect(config.match(/^olcRootDN: /gm)).toHaveLength(2);
    expect(config).not.toContain('olcRootPW');
    expect(config).toContain('olcSecurity: simple_bind=112');
    expect(render(desired({}, { allow_plain_bind: true }), same)[0]!.content).not.toContain('olcSecurity');
  });

  test('another organization under the same short name has a folder of its own', () => {
    const folders = (suffix: string) =>
      render(desired({ organizations: [{ ...LAB, suffix }] }), same)[0]!.content.match(/^olcDbDirectory: .+$/gm);
    expect(folders('dc=lab,dc=test')).not.toEqual(folders('dc=other,dc=test'));
  });

  test('entries can be read again and hold no password', () => {
    const text = writeEntries(desired());
    expect(parseEntries(text).entries.organizations[0]).toEqual(LAB);
    expect(() => parseEntries('{}')).toThrow('not those of this release');
  });

  test('the installed start is the one that the tests run', () => {
    const installed = readFileSync(join(import.meta.dirname, '../../../../build/appliance/slapd-start'), 'utf8');
    expect(installed.split('\n').slice(2).join('\n')).toBe(START);
    expect(spawnSync('sh', ['-n'], { input: START }).status).toBe(0);
  });
});

describe('entries', () => {
  const policy = { max_failures: 3, lockout_seconds: 60, max_age_seconds: 0 };
  const wanted = wantedEntries(LAB, policy, 'digest');
  const hashOf = (dn: string, mark: string) =>
    mark === (dn.startsWith('cn=applied') ? 'digest' : 'aa') ? `{ARGON2}${dn.length}` : undefined;
  const asFound = (all = wanted) =>
    all.map(({ dn, attributes, uuid, mark }) => ({
      dn,
      attributes: {
        ...attributes,
        ...(uuid && { entryUUID: [uuid] }),
        ...(mark && { groundcrewPasswordMark: [mark], userPassword: ['x'] }),
      },
    }));

  test('an empty tree gets all of them, parents first and the one that tells of them last', () => {
    const changes = changesBetween(wanted, [], hashOf);
    expect(changes[0]).toMatchObject({ dn: 'dc=lab,dc=test', add: { dc: ['lab'] } });
    expect(changes.at(-1)).toMatchObject({ dn: 'cn=applied,ou=system,dc=lab,dc=test' });
    expect(changes.find(({ dn }) => dn.startsWith('uid=ada'))).toMatchObject({
      add: { entryUUID: [UUID], groundcrewPasswordMark: ['aa'] },
    });
  });

  test('the same tree needs nothing', () => {
    expect(changesBetween(wanted, asFound(), hashOf)).toEqual([]);
  });

  test('a password that is kept no more is not left at another one', () => {
    const found = asFound().map((one) =>
      one.dn.startsWith('uid=ada')
        ? { ...one, attributes: { ...one.attributes, groundcrewPasswordMark: ['new'] } }
        : one,
    );
    const dn = 'uid=ada,ou=people,dc=lab,dc=test';
    const kept = (of: string, mark: string) => (of === dn ? undefined : hashOf(of, mark));
    const taken = [{ dn, replace: { userPassword: [], groundcrewPasswordMark: [] } }];
    expect(changesBetween(wanted, found as never, kept)).toEqual(taken);
    // Without any it stays so, and is told as drift: that looks with something in the place of each hash.
    const without = found.map((one) =>
      one.dn === dn
        ? { ...one, attributes: { ...one.attributes, groundcrewPasswordMark: undefined, userPassword: undefined } }
        : one,
    );
    expect(changesBetween(wanted, without as never, kept)).toEqual([]);
    expect(changesBetween(wanted, without as never, () => '?')).toMatchObject([
      { dn, replace: { userPassword: ['?'] } },
    ]);
  });

  test.each<[string, (found: ReturnType<typeof asFound>) => ReturnType<typeof asFound>, Change[]]>([
    [
      'what nobody applied goes, leaves first',
      (found) =>
        [
          ...found,
          { dn: 'ou=x,dc=lab,dc=test', attributes: {} },
          { dn: 'cn=y,ou=x,dc=lab,dc=test', attributes: {} },
        ] as never,
      [
        { dn: 'cn=y,ou=x,dc=lab,dc=test', delete: true },
        { dn: 'ou=x,dc=lab,dc=test', delete: true },
      ],
    ],
    [
      'a value that was changed comes back, one that was added goes',
      (found) =>
        found.map((one) =>
          one.dn.startsWith('uid=ada')
            ? { ...one, attributes: { ...one.attributes, mail: ['x'], title: ['y'] } as never }
            : one,
        ),
      [{ dn: 'uid=ada,ou=people,dc=lab,dc=test', replace: { mail: ['ada@lab.test'], title: [] } }],
    ],
    [
      'another mark is another password',
      (found) =>
        found.map((one) =>
          one.dn.startsWith('uid=ada')
            ? { ...one, attributes: { ...one.attributes, groundcrewPasswordMark: ['old'] } }
            : one,
        ),
      [
        {
          dn: 'uid=ada,ou=people,dc=lab,dc=test',
          replace: { userPassword: ['{ARGON2}32'], groundcrewPasswordMark: ['aa'] },
        },
      ],
    ],
    [
      'a lock by wrong passwords stays',
      (found) =>
        found.map((one) =>
          one.dn.startsWith('uid=ada')
            ? { ...one, attributes: { ...one.attributes, pwdAccountLockedTime: ['20261125000000Z'] } as never }
            : one,
        ),
      [],
    ],
  ])('%s', (_name, change, expected) => {
    expect(changesBetween(wanted, change(asFound()), hashOf)).toEqual(expected);
  });

  test('who is disabled is locked after a new password, and who comes back is unlocked only where that did not do it', () => {
    const ada = 'uid=ada,ou=people,dc=lab,dc=test';
    const locked = (mark: string, time: string | null) =>
      asFound().map((one) =>
        one.dn === ada
          ? {
              ...one,
              attributes: {
                ...one.attributes,
                groundcrewPasswordMark: [mark],
                ...(time !== null && { pwdAccountLockedTime: [time] }),
              },
            }
          : one,
      );
    const off = wanted.map((one) => (one.dn === ada ? { ...one, disabled: true } : one));
    const password = { dn: ada, replace: { userPassword: ['{ARGON2}32'], groundcrewPasswordMark: ['aa'] } };
    const lock = { dn: ada, replace: { pwdAccountLockedTime: ['000001010000Z'] } };
    expect(changesBetween(off, locked('old', '000001010000Z'), hashOf)).toEqual([password, lock]);
    expect(changesBetween(off, locked('old', '20261125000000Z'), hashOf)).toEqual([password, lock]);
    expect(changesBetween(off, locked('aa', '000001010000Z'), hashOf)).toEqual([]);
    expect(changesBetween(wanted, locked('old', '000001010000Z'), hashOf)).toEqual([password]);
    expect(changesBetween(wanted, locked('aa', '000001010000Z'), hashOf)).toEqual([{ dn: ada, unlock: true }]);
  });

  test('another identity under the same name is another entry', () => {
    const other = asFound().map((one) =>
      one.dn.startsWith('uid=ada') ? { ...one, attributes: { ...one.attributes, entryUUID: ['other'] } } : one,
    );
    const changes = changesBetween(wanted, other, hashOf);
    expect(changes.map((one) => ['delete' in one, 'add' in one])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test('no value begins a line of its own in LDIF', async () => {
    const evil = 'x\n\ndn: cn=config\nchangetype: delete\n- :< file:///etc/shadow ä';
    const text = writeChanges([{ dn: `cn=${evil}`, replace: { sn: [evil] } }]);
    expect(text.split('\n').filter((line) => line.includes('cn=config') || line.includes(':<'))).toEqual([]);
    const entry = text.split('\n').find((line) => line.startsWith('sn:: '))!;
    expect(await parseEntriesOf(`dn: cn=a\n${entry}\n`)).toEqual([{ dn: 'cn=a', attributes: { sn: [evil] } }]);
  });

  test('folded lines of ldapsearch are one', async () => {
    expect(await parseEntriesOf('dn: cn=a,\n dc=b\nsn: x\n y\n\ndn:: Y249w6Q=\nsn: z\n')).toEqual([
      { dn: 'cn=a,dc=b', attributes: { sn: ['xy'] } },
      { dn: 'cn=ä', attributes: { sn: ['z'] } },
    ]);
  });
});

test('what slapd refuses is the entry that ldapmodify said last; where all fails, none is', () => {
  const changes: Change[] = [
    { dn: 'cn=a', delete: true },
    { dn: 'cn=b', add: { cn: ['b'] } },
  ];
  const stdout = 'deleting entry "cn=a"\n\nadding new entry "cn=b"\n';
  expect(refusalOf({ code: 21, stdout }, changes)).toEqual({
    at: 1,
    refused: { dn: 'cn=b', detail: 'a value is not of the form that its attribute has (code 21)' },
  });
  for (const code of [1, 49, 51, 52, 124, 127, 255]) expect(refusalOf({ code, stdout }, changes)).toBeNull();
  expect(refusalOf({ code: 21, stdout: '' }, changes)).toBeNull();
});

describe('passwords', () => {
  test('a hash is of argon2id, of its own password alone, and another at each time', async () => {
    const [one, other] = [await argon2idHash('correct horse'), await argon2idHash('correct horse')];
    expect(one).toMatch(/^\{ARGON2\}\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(other);
    expect([await isHashOf(one, 'correct horse'), await isHashOf(one, 'correct hors')]).toEqual([true, false]);
  });

  test('a generated one is as long as the settings ask', () => {
    for (const least of [8, 12, 24, 128]) expect(generatedPassword(least).length).toBeGreaterThanOrEqual(least);
    expect(generatedPassword(12)).not.toBe(generatedPassword(12));
  });
});

describe('a change', () => {
  const between = (before: LdapDesired, after: LdapDesired, written: string[] = []) =>
    ldapUnit.impact({ before: ldapUnit.facts(before), after: ldapUnit.facts(after), written, removed: [] });

  test('of entries interrupts nothing; of the configuration it does', () => {
    const mail = desired({ organizations: [{ ...LAB, users: [{ ...ada, mail: 'x@lab.test' }] }] });
    expect(between(desired({ organizations: [LAB] }), mail, [ENTRIES_FILE])).toEqual({
      says: ['User lab/ada is changed.'],
      risk: 'low',
      interruption: 'none',
    });
    expect(between(desired(), desired({}, { allow_plain_bind: true }), [CONFIG_FILE])).toMatchObject({
      risk: 'high',
      interruption: expect.stringContaining('open connections end'),
    });
  });

  test('a bind account that gets another password is of high risk, and its mark is not shown', () => {
    const marked = (mark: string) =>
      desired({ organizations: [{ ...LAB, accounts: [{ ...LAB.accounts[0]!, mark }] }] });
    const [before, after] = [marked('0123'), marked('4567')];
    expect(between(before, after).risk).toBe('high');
    const [changed] = differences(ldapUnit.facts(before), ldapUnit.facts(after));
    expect(ldapUnit.words(changed!.kind, changed!.name, changed!.after!).join()).not.toContain('4567');
  });

  test('whose password or account is taken away is said, once', () => {
    const holds = (rest: Partial<typeof LAB>) => desired({ organizations: [{ ...LAB, ...rest }] });
    const reader = { ...LAB.accounts[0]!, mark: 'bb' };
    const full = holds({ accounts: [reader] });
    const says = (after: LdapDesired, before = full) => between(before, after).says;
    expect(says(holds({ accounts: [reader], users: [{ ...ada, mark: '' }] }))).toEqual([
      'User lab/ada has no password any more: it can’t sign in until it is given one.',
    ]);
    expect(says(holds({ accounts: [{ ...reader, mark: '' }] }))).toEqual([
      'Bind account lab/vcenter has no password any more: the product that uses it finds no users.',
    ]);
    expect(says(holds({ accounts: [] }))).toEqual([
      'Bind account lab/vcenter is gone or disabled: the product that uses it finds no users.',
    ]);
    expect(says(holds({ accounts: [reader], users: [], groups: [] }))).toEqual([
      'User lab/ada is gone.',
      'Group lab/VCF Admins is gone or disabled, with what products gave to it.',
    ]);
    const off = holds({ accounts: [reader], users: [{ ...ada, enabled: false }] });
    expect(says(off)).toEqual(['User lab/ada is disabled: it can’t sign in any more.']);
    expect(says(full, off)).toEqual(['User lab/ada is enabled: it can sign in again.']);
  });

  test.each([
    ['on, not running', true, false, [], 'start'],
    ['entries alone', true, true, [ENTRIES_FILE], 'none'],
    ['the configuration', true, true, [CONFIG_FILE, ENTRIES_FILE], 'restart'],
    ['off, running', false, true, [], 'stop'],
    ['off', false, false, [], 'none'],
  ] as const)('%s: %s', (_name, wanted, running, written, action) => {
    expect(actionFor(wanted, running, { written: [...written], removed: [] })).toBe(action);
  });

  test('what it can’t be applied without', () => {
    expect(desiredFaults(desired({ authority: null })).join()).toContain('no root certificate');
    expect(desiredFaults(desired()).join()).toContain('no certificate for its host name');
    expect(desiredFaults(desired({ listen: [] })).join()).toContain('listens on no interface');
  });
});

describe('the probe', () => {
  const asked = {
    listeners: [
      { address: '10.10.0.5', port: 636, scheme: 'ldaps' as const },
      { address: '10.10.0.5', port: 389, scheme: 'ldap' as const },
    ],
    digest: 'd',
    trees: ['cn=applied,ou=system,o=other'],
  };
  const good = [
    { told: ['d'], plain: null, error: null },
    { told: ['d'], plain: 13, error: null },
  ];
  test('accepts what was applied', () => expect(faultOf(asked, good, false)).toBeNull());
  test.each([
    ['silence', [], 'does not answer'],
    ['an earlier state', [{ ...good[0]!, told: [null] }, good[1]!], 'other entries'],
    ['a clear bind that is let in', [good[0]!, { ...good[1]!, plain: 49 }], 'without TLS'],
  ])('refuses %s', (_name, answers, said) => expect(faultOf(asked, answers, false)).toContain(said));

  test('reads answers that come in pieces, and refuses what is no LDAP', () => {
    const answer = Buffer.from('300c02010161070a010004000400', 'hex');
    expect(nextAnswer(answer.subarray(0, 5))).toBeNull();
    expect(nextAnswer(answer)?.answer).toEqual({ id: 1, code: 0, value: null, policy: null });
    // An expired password: code 49, and of the password policy error 0.
    const expired = Buffer.from(
      '303202010161070a013104000400a02430220419312e332e362e312e342e312e34322e322e32372e382e352e3104053003810100',
      'hex',
    );
    expect(nextAnswer(expired)?.answer).toMatchObject({ code: 49, policy: 0 });
    expect(() => nextAnswer(Buffer.from('HTTP/1.1 400 Bad Request'))).toThrow('none of LDAP');
    expect(bindRequest(1, 'cn=a', 'b').toString('hex')).toContain('636e3d61');
  });
});
