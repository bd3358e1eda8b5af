// Settings that are rendered, read back from what slapd then has, and adopted are the same settings; what no setting can say is
// named, and what is outside of our limits is refused by the name of its member.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RowsFound } from '../../../../../shared/platform/units/row-adoption.ts';
import type { Running } from '../../../../../shared/services/ldap/adopt/configuration.ts';
import { appliedSays } from '../../../../../shared/services/ldap/adopt/configuration.ts';
import {
  adoptSettings,
  findPolicy,
  findRunning,
  nothingFound,
  settingsClauses,
} from '../../../../../shared/services/ldap/adopt/settings.ts';
import {
  type LdapDesired,
  type LdapSettings,
  listenersOf,
  placeOf,
} from '../../../../../shared/services/ldap/desired.ts';
import { policyOf } from '../../../../../shared/services/ldap/entries.ts';
import { changesBetween } from '../../../../../shared/services/ldap/follow/difference.ts';
import { type Entry, parseEntriesOf } from '../../../../../shared/services/ldap/follow/ldif.ts';
import { accountPolicyOf, passwordPolicyOf, wantedEntries } from '../../../../../shared/services/ldap/follow/wanted.ts';
import { configuration } from '../../../../../shared/services/ldap/render.ts';
import { ldapSettings } from '../../../../../shared/services/ldap/settings.ts';

const LISTEN = [{ name: 'lab0', usable: true, addresses: ['10.0.0.5', 'fd00::5'] }];
const SUFFIXES = ['dc=lab,dc=test', 'o=guests'];
const organizations = SUFFIXES.map((suffix, at) => ({ slug: `org${at}`, suffix, users: [], groups: [], accounts: [] }));

const settings = fc
  .record({
    ports: fc.uniqueArray(fc.integer({ min: 1, max: 65_535 }), { minLength: 2, maxLength: 2 }),
    speaks: fc.constantFrom([true, true], [true, false], [false, true]),
    plain: fc.boolean(),
    password_max_failures: fc.integer({ min: 0, max: 100 }),
    password_lockout_minutes: fc.integer({ min: 0, max: 10_080 }),
    password_max_age_days: fc.integer({ min: 0, max: 3_650 }),
  })
  .map(({ ports: [ldaps_port, ldap_port], speaks: [ldaps_enabled, ldap_enabled], plain, ...passwords }) => ({
    ...ldapSettings.defaults,
    ...passwords,
    ...{ enabled: true, ldaps_port, ldap_port, ldaps_enabled, ldap_enabled },
    allow_plain_bind: plain && ldap_enabled,
  })) as fc.Arbitrary<LdapSettings>;

const desiredOf = (own: LdapSettings): LdapDesired => ({
  settings: own,
  listen: LISTEN,
  organizations: organizations as never,
  authority: null,
  certificate: null,
});
const entriesOf = (at: number, own: LdapSettings) => wantedEntries({ ...organizations[at]! }, policyOf(own), '');

/** slapd numbers what it keeps in order, and answers in an order of its own. */
const asSlapd = (entries: readonly Entry[]): Entry[] =>
  entries.map(({ dn, attributes }) => ({
    dn,
    attributes: Object.fromEntries(
      Object.entries(attributes)
        .toReversed()
        .map(([name, values]) => [name, name === 'olcModuleLoad' ? values.map((one, at) => `{${at}}${one}`) : values]),
    ),
  }));

async function runningWith(own: LdapSettings): Promise<Running> {
  const desired = desiredOf(own);
  const config = asSlapd(await parseEntriesOf(configuration(desired, (path) => path)));
  return { config, places: listenersOf(desired).map(placeOf) };
}

const file = (own: LdapSettings) => ({ read: async () => configuration(desiredOf(own), (path) => path) });

/** Where `before` was applied, and slapd has what `now` would be. */
async function readBack(before: LdapSettings, now: LdapSettings) {
  const found = nothingFound();
  for (const [at, organization] of organizations.entries())
    for (const change of changesBetween(entriesOf(at, before), entriesOf(at, now), () => undefined)) {
      if (!('replace' in change)) throw new Error(change.dn);
      const { attributes } = entriesOf(at, now).find(({ dn }) => dn === change.dn)!;
      findPolicy(found, change.dn, organization, { names: Object.keys(change.replace), attributes });
    }
  const said = (await appliedSays(file(before), desiredOf(before)))!;
  findRunning(found, desiredOf(before), said, await runningWith(now));
  const all: RowsFound = { rows: [], refusals: [], left: [] };
  adoptSettings(all, found, organizations.length);
  return { found, all };
}

test('what is rendered, read back and adopted is what was saved', async () => {
  await fc.assert(
    fc.asyncProperty(settings, settings, async (before, now) => {
      const { all } = await readBack(before, now);
      expect(all).toMatchObject({ refusals: [], left: [] });
      const adopted = { ...before, ...all.settings?.values };
      // Of a protocol that is off, nothing tells its port.
      const unseen = {
        ...(!now.ldaps_enabled && { ldaps_port: before.ldaps_port }),
        ...(!now.ldap_enabled && { ldap_port: before.ldap_port }),
      };
      expect(adopted).toEqual({ ...now, ...unseen });
    }),
    { numRuns: 150 },
  );
});

test('what is as it was applied is neither adopted nor told', async () => {
  await fc.assert(
    fc.asyncProperty(settings, async (own) => {
      const { found, all } = await readBack(own, own);
      expect([settingsClauses(found), all]).toEqual([[], { rows: [], refusals: [], left: [] }]);
    }),
    { numRuns: 50 },
  );
});

const OWN: LdapSettings = { ...ldapSettings.defaults, enabled: true, ldap_enabled: true };

function policies(...each: [dn: string, names: Record<string, string | undefined>][]) {
  const found = nothingFound();
  for (const [dn, names] of each) {
    const attributes = Object.fromEntries(
      Object.entries(names).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value]]])),
    );
    const suffix = SUFFIXES.find((one) => dn.endsWith(`,${one}`))!;
    findPolicy(found, dn, { suffix }, { names: Object.keys(names), attributes });
  }
  const all: RowsFound = { rows: [], refusals: [], left: [] };
  adoptSettings(all, found, organizations.length);
  return { all, clauses: settingsClauses(found) };
}
const [LAB, GUESTS] = SUFFIXES.map(passwordPolicyOf) as [string, string];
const ACCOUNTS = accountPolicyOf(SUFFIXES[0]!);

test.each([
  [{ pwdMaxFailure: '101' }, 'password_max_failures', 'pwdMaxFailure is 101'],
  [{ pwdMaxFailure: '-1' }, 'password_max_failures', 'pwdMaxFailure is no number'],
  [{ pwdLockoutDuration: '90' }, 'password_lockout_minutes', 'whole number of minutes'],
  [{ pwdLockoutDuration: '6000000' }, 'password_lockout_minutes', 'pwdLockoutDuration is 6000000'],
  [{ pwdMaxAge: '3600' }, 'password_max_age_days', 'whole number of days'],
  [{ pwdMinLength: '7' }, 'password_min_length', 'pwdMinLength is 7'],
  [{ pwdInHistory: '25' }, 'password_history', 'pwdInHistory is 25'],
])('%j is outside of our limits: refused, by the name of the member', (names, member, told) => {
  const { all, clauses } = policies([LAB, names as Record<string, string>]);
  expect(all.settings).toBeUndefined();
  expect(all.refusals).toMatchObject([{ subject: 'Settings of LDAP', page: ldapSettings.page }]);
  expect(all.refusals[0]!.reason).toMatch(new RegExp(`^${member}: `));
  expect(all.refusals[0]!.reason).toContain(told);
  expect(clauses).toEqual([expect.stringContaining('the next apply puts it back')]);
});

test('a value that is gone is 0, as slapd takes it', () => {
  expect(policies([LAB, { pwdMaxFailure: undefined }]).all.settings?.values).toEqual({ password_max_failures: 0 });
});

test('a setting is one value: two of them are refused, and one in one place alone is said to hold everywhere', () => {
  const two = policies([LAB, { pwdMaxFailure: '7' }], [GUESTS, { pwdMaxFailure: '9' }]).all;
  expect(two.refusals[0]!.reason).toContain(`${LAB}: pwdMaxFailure is 7; ${GUESTS}: pwdMaxFailure is 9`);
  expect(two.settings).toBeUndefined();
  const one = policies([LAB, { pwdMaxAge: '86400' }]).all;
  expect(one.settings?.values).toEqual({ password_max_age_days: 1 });
  expect(one.left).toEqual([expect.stringContaining('password_max_age_days holds for all users')]);
  const both = policies([LAB, { pwdMaxAge: '86400' }], [GUESTS, { pwdMaxAge: '86400' }]).all;
  expect([both.settings?.values, both.left]).toEqual([{ password_max_age_days: 1 }, []]);
});

test('what the service looks at itself is kept as a setting, and goes from slapd', () => {
  const { all, clauses } = policies([LAB, { pwdMinLength: '16', pwdInHistory: '3' }]);
  expect(all.settings?.values).toEqual({ password_min_length: 16, password_history: 3 });
  expect(all.left).toHaveLength(2);
  expect(clauses[0]).toBe(
    `${LAB}: pwdMinLength is 16; the next apply puts it back, unless it is adopted as password_min_length`,
  );
});

test('what no setting says is named, value by value, and nothing of it is told', () => {
  const { all, clauses } = policies(
    [LAB, { pwdMinAge: 'canary-1', pwdSafeModify: 'TRUE' }],
    [ACCOUNTS, { pwdMaxAge: '60' }],
  );
  expect([all.settings, all.refusals]).toEqual([undefined, []]);
  const told = [
    `${LAB}: pwdMinAge was changed; it is no setting here, and the next apply puts it back`,
    `${LAB}: pwdSafeModify was changed; it is no setting here, and the next apply puts it back`,
    `${ACCOUNTS}: pwdMaxAge was changed; it is no setting here, and the next apply puts it back`,
  ];
  expect([all.left, clauses]).toEqual([told, told]);
});

test('of the configuration, too: other lines, lines that are gone, entries of nobody, listeners elsewhere', async () => {
  const running = await runningWith(OWN);
  const config = running.config.flatMap((entry): Entry[] => {
    const { dn, attributes } = entry;
    if (dn === 'olcDatabase={3}monitor,cn=config') return [];
    if (dn !== 'cn=config') return [entry];
    const { olcIdleTimeout: _gone, ...others } = attributes;
    return [{ dn, attributes: { ...others, olcSecurity: ['ssf=1'], olcSizeLimit: ['5'] } }];
  });
  config.push({ dn: 'olcDatabase={9}mdb,cn=config', attributes: { olcRootPW: ['canary-2'] } });
  const found = nothingFound();
  const said = (await appliedSays(file(OWN), desiredOf(OWN)))!;
  findRunning(found, desiredOf(OWN), said, { config, places: ['ldaps://10.0.0.5:636', 'ldap://10.9.9.9:389'] });
  expect(found.values).toEqual([]);
  const told = found.left.join('\n');
  for (const clause of [
    'cn=config: olcIdleTimeout was changed; it is no setting here, and the next apply puts it back',
    'cn=config: olcSizeLimit was changed;',
    'cn=config: olcSecurity was changed;',
    'olcdatabase={9}mdb,cn=config is there, though nobody applied it; the next apply takes it away',
    'olcdatabase={3}monitor,cn=config is missing; the next apply puts it back',
    'slapd listens at ldap://10.9.9.9:389;',
    'slapd does not listen at ldap://10.0.0.5:389;',
  ])
    expect(told).toContain(clause);
  expect(told).not.toContain('canary');
});
