// What somebody changed in the real slapd by hand of its password policy, its configuration and its listeners (needs root): what
// is a setting becomes that setting by an ordinary edit; the rest is named value by value, and the next apply puts it back.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { preparePlan } from '../../shared/appliance/apply/make-plan.ts';
import { networkUnit } from '../../shared/platform/network/unit.ts';
import { CONFIG_FILE, LISTEN_FILE, slapdDaemon, socketUrl } from '../../shared/services/ldap/files.ts';
import { searchDirectory } from '../../shared/services/ldap/follow/socket.ts';
import { accountPolicyOf, passwordPolicyOf } from '../../shared/services/ldap/follow/wanted.ts';
import { ldapUnit } from '../../shared/services/ldap/unit.ts';
import { counted, observe } from '../contract/budget.ts';
import { until } from '../setup/until.ts';
import { ADDRESS, Directory, NAME } from './directory-scene.ts';

const SUFFIX = 'dc=lab,dc=test';
const POLICY = passwordPolicyOf(SUFFIX);
const ACCOUNTS = accountPolicyOf(SUFFIX);
const READER = { dn: `cn=vcenter,ou=system,${SUFFIX}`, password: 'tundra-fiddle-gravel-08' };
const ADOPT = 'apply/drift/ldap/adopt';
const PAGE = '/ui/management/appliance-apply';
const PLAIN = `ldap://${ADDRESS}`;
/** What ldapmodify and ldapwhoami end with (RFC 4511, appendix A). */
const [INVALID_CREDENTIALS, INSUFFICIENT_ACCESS, CONFIDENTIALITY_REQUIRED] = [49, 50, 13];
const CANARY = 'canary-root-password-of-slapd';
/** As the contract has it for what an adoption costs. */
const STATEMENTS_MOST = 17;
const SLOW = 240_000;

let directory: Directory;

beforeAll(async () => {
  directory = await Directory.open(false, observe);
  const settings = { enabled: true, hostname: NAME, listen_interfaces: ['lab0'], ldap_enabled: true };
  await directory.api('PATCH', 'ldap/settings', settings);
  const { id: organization_id } = await directory.api('POST', 'ldap/organizations', { slug: 'lab', suffix: SUFFIX });
  const { id } = await directory.api('POST', 'ldap/bind-accounts', { organization_id, name: 'vcenter' });
  await directory.api('POST', `ldap/bind-accounts/${id}/password`, { password: READER.password });
  expect(await directory.apply()).toMatchObject({ state: 'succeeded' });
}, SLOW);
afterAll(() => directory?.close());

function byHand(ldif: string): number {
  const args = ['-Y', 'EXTERNAL', '-Q', '-e', 'relax', '-H', socketUrl(directory.host)];
  return spawnSync('ldapmodify', args, { input: ldif, encoding: 'utf8' }).status ?? -1;
}
const replacing = (dn: string, values: Record<string, string>): string =>
  [
    `dn: ${dn}\nchangetype: modify`,
    ...Object.entries(values).map(([name, value]) => `replace: ${name}\n${name}: ${value}\n-`),
  ].join('\n');

/** Writes slapd's files otherwise and starts it again with them. */
async function restartWith(edit: (config: string, listen: string) => [config: string, listen: string]): Promise<void> {
  const { host } = directory;
  const [config, listen] = [(await host.read(CONFIG_FILE))!, (await host.read(LISTEN_FILE))!];
  const [newConfig, newListen] = edit(config, listen);
  await host.stopDaemon(slapdDaemon(host));
  await host.write({ path: CONFIG_FILE, content: newConfig, mode: 0o644 });
  await host.write({ path: LISTEN_FILE, content: newListen, mode: 0o644 });
  await host.startDaemon(slapdDaemon(host));
}

const report = async () =>
  (await directory.api('POST', 'apply/drift/compare')).items.find(({ unit }: { unit: string }) => unit === 'ldap');
const settings = () => directory.api('GET', 'ldap/settings');
const page = async (path: string): Promise<string> => {
  const { status, text } = await directory.house.send('GET', `${PAGE}${path}`, { session: directory.admin });
  expect(status).toBe(200);
  return text
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', '’')
    .replaceAll(/\s+/g, ' ');
};
const slapdHas = async (dn: string, name: string) =>
  (await searchDirectory(directory.host, dn, [name], 'base'))[0]?.attributes[name]?.[0];

/** What a plan says that it would write over; null: nothing. */
async function overwritten(): Promise<string[] | null> {
  await directory.certify();
  const wish = { units: ['ldap' as const], reapply: true };
  const { plan } = await preparePlan(directory.house.services, [networkUnit, ldapUnit], 'test', wish);
  return plan.units.find(({ id }) => id === 'ldap')!.drift?.lines ?? null;
}

test('nothing differs right after an apply', async () => {
  expect(await report()).toMatchObject({ state: 'none', lines: [] });
  expect(await overwritten()).toBeNull();
});

test(
  'values of the policy are adopted as settings; those without a setting are named and put back',
  async () => {
    const values = { pwdMaxFailure: '7', pwdLockoutDuration: '1800', pwdMaxAge: '7776000', pwdMinLength: '16' };
    expect(byHand(replacing(POLICY, { ...values, pwdMinAge: '60', pwdLockout: 'FALSE' }))).toBe(0);
    expect(byHand(replacing(ACCOUNTS, { pwdMaxFailure: '7' }))).toBe(0);
    const put = 'the next apply puts it back';
    const { lines, adoptable } = await report();
    expect(adoptable).toBe(true);
    expect(lines.toSorted()).toEqual(
      [
        `${POLICY}: pwdMaxFailure is 7; ${put}, unless it is adopted as password_max_failures`,
        `${ACCOUNTS}: pwdMaxFailure is 7; ${put}, unless it is adopted as password_max_failures`,
        `${POLICY}: pwdLockoutDuration is 1800; ${put}, unless it is adopted as password_lockout_minutes`,
        `${POLICY}: pwdMaxAge is 7776000; ${put}, unless it is adopted as password_max_age_days`,
        `${POLICY}: pwdMinLength is 16; ${put}, unless it is adopted as password_min_length`,
        `${POLICY}: pwdMinAge was changed; it is no setting here, and ${put}`,
        `${POLICY}: pwdLockout was changed; it is no setting here, and ${put}`,
      ].toSorted(),
    );
    const seen = await page('');
    expect(seen).toContain('Keep what the host has');
    expect(seen).toContain(`pwdMinAge was changed; it is no setting here, and ${put}`);
    const asked = await page('/drift/ldap/adopt');
    for (const words of [
      'Settings of LDAP',
      'password max failures 5 → 7',
      'password lockout minutes 15 → 30',
      'password max age days 0 → 90',
      'password min length 12 → 16',
      `pwdLockout was changed; it is no setting here, and ${put}`,
      'password_lockout_minutes holds for all users and bind accounts',
    ])
      expect(asked).toContain(words);

    const adopted = await directory.api('POST', ADOPT);
    expect(adopted.rows).toMatchObject([{ name: 'Settings of LDAP', id: 'ldap', change: 'changed' }]);
    expect(adopted.rows[0].members.toSorted()).toEqual([
      'password_lockout_minutes',
      'password_max_age_days',
      'password_max_failures',
      'password_min_length',
    ]);
    expect(adopted.left.join('\n')).toContain(`pwdMinAge was changed; it is no setting here, and ${put}`);
    expect(await settings()).toMatchObject({
      password_max_failures: 7,
      password_lockout_minutes: 30,
      password_max_age_days: 90,
      password_min_length: 16,
    });
    const { items } = await directory.api('GET', 'audit?limit=10');
    const edit = items.find(({ action }: { action: string }) => action === 'ldap.settings.update');
    expect(edit.detail).toMatchObject({ adopted: true, password_max_failures: 7 });
    expect(items.map(({ action }: { action: string }) => action)).toContain('drift.adopt');

    // What was left would be overwritten.
    expect((await overwritten())?.join('\n')).toContain('pwdMinAge was changed');
    expect((await directory.apply()).state).toBe('succeeded');
    expect(await report()).toMatchObject({ state: 'none' });
    for (const [name, value] of Object.entries({ pwdMaxFailure: '7', pwdLockout: 'TRUE', pwdMaxAge: '7776000' }))
      expect([name, await slapdHas(POLICY, name)]).toEqual([name, value]);
    for (const gone of ['pwdMinAge', 'pwdMinLength']) expect(await slapdHas(POLICY, gone)).toBeUndefined();
    expect(await slapdHas(ACCOUNTS, 'pwdLockoutDuration')).toBe('1800');
  },
  SLOW,
);

test(
  'what was adopted whole asks for no leave to overwrite it, and is in force by the next apply',
  async () => {
    expect(byHand(replacing(POLICY, { pwdMaxFailure: '3', pwdInHistory: '9' }))).toBe(0);
    expect(await overwritten()).toHaveLength(2);
    // By the form of the page, as without scripting, and in as many statements as an adoption of anything else.
    const post = () => directory.house.send('POST', `${PAGE}/drift/ldap/adopt`, { session: directory.admin, form: {} });
    const { heard, statements } = await counted(post);
    expect([heard.status, heard.headers.location]).toEqual([303, PAGE]);
    expect(statements.length > STATEMENTS_MOST ? statements : 'within').toBe('within');
    expect(await overwritten()).toBeNull();
    expect((await directory.api('POST', ADOPT)).rows).toEqual([]);
    expect(await settings()).toMatchObject({ password_max_failures: 3, password_history: 9 });
    expect((await directory.apply()).state).toBe('succeeded');
    expect(await slapdHas(ACCOUNTS, 'pwdMaxFailure')).toBe('3');
  },
  SLOW,
);

test.each([
  ['more failures than a setting can be', { pwdMaxFailure: '500' }, 'password_max_failures: '],
  ['a lock of half a minute', { pwdLockoutDuration: '30' }, 'password_lockout_minutes: '],
])(
  '%s: nothing is saved, and the problem names the field',
  async (_what, values, field) => {
    expect(byHand(replacing(POLICY, values as Record<string, string>))).toBe(0);
    const before = await settings();
    const refused = await directory.house.send('POST', `/api/v1/${ADOPT}`, { token: directory.admin.token });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(field)]);
    expect(await page('/drift/ldap/adopt')).toContain(field);
    expect(await settings()).toEqual(before);
    expect((await directory.apply()).state).toBe('succeeded');
    expect(await report()).toMatchObject({ state: 'none' });
  },
  SLOW,
);

test('the configuration can’t be changed over the socket, not even by root', async () => {
  expect(byHand(replacing('cn=config', { olcIdleTimeout: '60' }))).toBe(INSUFFICIENT_ACCESS);
  expect(await report()).toMatchObject({ state: 'none' });
});

test(
  'slapd that was started with other files: what is a setting is adopted, and the rest is named and put back',
  async () => {
    await directory.api('PATCH', 'ldap/settings', { ldap_enabled: false });
    expect((await directory.apply()).state).toBe('succeeded');
    await restartWith((config, listen) => [
      config
        .replace('olcSecurity: simple_bind=112\n', '')
        .replace('olcIdleTimeout: 600', 'olcIdleTimeout: 60')
        .replace('olcDatabase: {0}config\n', `olcDatabase: {0}config\nolcRootPW: ${CANARY}\n`),
      `ldap://${ADDRESS}:1389/ ${listen}`,
    ]);
    expect(directory.bind(READER.dn, READER.password, `${PLAIN}:1389`)).toBe(0);
    const told = await report();
    expect(told).toMatchObject({ state: 'drifted', adoptable: true });
    expect(told.lines.join('\n')).toContain('unless it is adopted as allow_plain_bind');
    expect(told.lines.join('\n')).toContain('slapd speaks LDAP that begins in the clear; ');
    expect(told.lines.join('\n')).toContain('slapd speaks LDAP at port 1389; ');
    const adopted = await directory.api('POST', ADOPT);
    expect(adopted.rows[0].members.toSorted()).toEqual(['allow_plain_bind', 'ldap_enabled', 'ldap_port']);
    const left = adopted.left.join('\n');
    expect(left).toContain('cn=config: olcIdleTimeout was changed; it is no setting here');
    expect(left).toContain('olcdatabase={0}config,cn=config: olcRootPW was changed; it is no setting here');
    expect(await settings()).toMatchObject({ allow_plain_bind: true, ldap_enabled: true, ldap_port: 1389 });
    expect((await directory.apply()).state).toBe('succeeded');
    expect(await directory.host.read(CONFIG_FILE)).toContain('olcIdleTimeout: 600');
    expect(await report()).toMatchObject({ state: 'none' });
    expect(directory.bind(READER.dn, READER.password, `${PLAIN}:1389`)).toBe(0);
  },
  SLOW,
);

test(
  'files that were written by hand as they are to be after the adoption are overwritten by nobody',
  async () => {
    await restartWith((config, listen) => [
      config.replace('olcLocalSSF: 128\n', 'olcLocalSSF: 128\nolcSecurity: simple_bind=112\n'),
      listen,
    ]);
    expect(directory.bind(READER.dn, READER.password, `${PLAIN}:1389`)).toBe(CONFIDENTIALITY_REQUIRED);
    expect(await overwritten()).not.toBeNull();
    expect((await directory.api('POST', ADOPT)).left).toEqual([]);
    expect(await settings()).toMatchObject({ allow_plain_bind: false });
    expect(await overwritten()).toBeNull();
    expect((await directory.apply()).state).toBe('succeeded');
    expect(await report()).toMatchObject({ state: 'none' });
  },
  SLOW,
);

test(
  'a slapd that runs otherwise than its files say is put back by an apply, though no file differs',
  async () => {
    // Once somebody may change the configuration while slapd runs.
    let applied = '';
    await restartWith((config, listen) => {
      applied = config;
      const all = /(olcAccess: \{1\}to \* by [^\n]+) read by \* none\n(?=\n)/;
      return [config.replace(all, '$1 manage by * none\n'), listen];
    });
    await directory.host.write({ path: CONFIG_FILE, content: applied, mode: 0o644 });
    expect(byHand(replacing('cn=config', { olcIdleTimeout: '60' }))).toBe(0);
    const { lines } = await report();
    expect(lines).toContain(
      'cn=config: olcIdleTimeout was changed; it is no setting here, and the next apply puts it back',
    );
    const refused = await directory.house.send('POST', `/api/v1/${ADOPT}`, { token: directory.admin.token });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('olcIdleTimeout was changed')]);
    expect((await directory.apply()).state).toBe('succeeded');
    await until(async () => (await report()).state === 'none');
    expect(await slapdHas('cn=config', 'olcIdleTimeout')).toBe('600');
    expect(byHand(replacing('cn=config', { olcIdleTimeout: '60' }))).toBe(INSUFFICIENT_ACCESS);
    expect(directory.bind(READER.dn, 'wrong')).toBe(INVALID_CREDENTIALS);
  },
  SLOW,
);

test('nothing of a password is in an answer, the log, the audit log or what is written down of drift', async () => {
  const { store } = directory.house.services;
  const told = [
    ...directory.house.heard.map(({ answer }) => answer.body),
    ...directory.logged,
    JSON.stringify(await store.all('SELECT * FROM audit_event')),
    JSON.stringify(await store.all('SELECT * FROM unit_drift')),
  ].join('\n');
  expect(told).not.toContain(CANARY);
  expect(told).not.toContain('{ARGON2}');
});
