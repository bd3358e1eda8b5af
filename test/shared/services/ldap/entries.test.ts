// The applied entries as text: each is parsed once, whoever reads it and however often.
import { expect, test } from '@jest/globals';
import type { DesiredOrganization } from '../../../../shared/services/ldap/desired-organizations.ts';
import { parseEntries, policyOf, writeEntries } from '../../../../shared/services/ldap/entries.ts';
import { wantedEntries } from '../../../../shared/services/ldap/follow/wanted.ts';
import { ldapSettings } from '../../../../shared/services/ldap/settings.ts';

const organization = { slug: 'lab', suffix: 'dc=lab,dc=test', users: [], groups: [], accounts: [] };
const textOf = (max_failures: number): string =>
  JSON.stringify({
    version: 1,
    policy: { max_failures, lockout_seconds: 0, max_age_seconds: 0 },
    organizations: [organization],
  });

test('what is in force and what is to be are read in turns, and each is parsed once', () => {
  const [now, next] = [parseEntries(textOf(3)), parseEntries(textOf(5))];
  expect(parseEntries(textOf(3))).toBe(now);
  expect(parseEntries(textOf(5))).toBe(next);
  expect(next.entries.policy.max_failures).toBe(5);
  parseEntries(textOf(7));
  expect(parseEntries(textOf(3))).not.toBe(now);
  expect(parseEntries(textOf(3))).toEqual(now);
});

test('what a tree is to hold is made once of the same entries, and anew of others', () => {
  const { entries, digest } = parseEntries(textOf(3));
  const [one] = entries.organizations;
  const wanted = wantedEntries(one!, entries.policy, digest);
  expect(wantedEntries(one!, entries.policy, digest)).toBe(wanted);
  expect(wantedEntries(one!, entries.policy, 'another')).not.toBe(wanted);
  expect(wantedEntries(one!, { ...entries.policy, max_failures: 9 }, digest)).not.toEqual(wanted);
});

const user = (uid: string) => ({
  ...{ uid, kind: 'person' as const, given_name: 'Ada', surname: 'O’Hara\n "x" \\n    ', display_name: 'Ada 😀' },
  ...{ mail: `${uid}@lab.test`, telephone: '', entry_uuid: `uuid of ${uid}`, enabled: true, mark: 'm' },
});
const group = (name: string, users: string[]) => ({ name, entry_uuid: `uuid of ${name}`, users, groups: [] });
const lab = (slug: string, uids: string[]): DesiredOrganization => ({
  ...{ slug, suffix: `dc=${slug},dc=test`, users: uids.map(user) },
  ...{ groups: [group('all', uids), group('none', [])], accounts: [{ name: 'reader', entry_uuid: 'u', mark: '' }] },
});

test.each<[string, DesiredOrganization[]]>([
  ['no organization', []],
  ['an empty one', [organization]],
  ['entries of each kind', [lab('one', ['ada', 'grace'])]],
  ['several organizations', [lab('one', ['ada']), organization, lab('two', ['ada', 'eve'])]],
])('the file is written entry by entry as it would be whole: %s', (_what, organizations) => {
  const settings = ldapSettings.defaults;
  const whole = `${JSON.stringify({ version: 1, policy: policyOf(settings), organizations }, null, 1)}\n`;
  expect(writeEntries({ settings, organizations })).toBe(whole);
  expect(parseEntries(whole).entries).toEqual(JSON.parse(whole));
});

test('what was written is read as the same objects; where an entry can’t be read, the file is refused', () => {
  const settings = ldapSettings.defaults;
  const organizations = [lab('one', ['ada', 'grace'])];
  const read = parseEntries(writeEntries({ settings, organizations })).entries;
  expect(read.organizations[0]).toBe(organizations[0]);
  const spoiled = [{ ...organizations[0]!, users: [{ ...user('ada'), mail: null }] }] as never;
  expect(() => parseEntries(writeEntries({ settings, organizations: spoiled }))).toThrow('not those of this release');
});

test('of one changed user, only its own entry is made anew; of a changed group, its members as well', () => {
  const { policy } = parseEntries(textOf(3)).entries;
  const before = lab('one', ['ada', 'grace']);
  const wanted = wantedEntries(before, policy, 'first');
  const changed = { ...before, users: [before.users[0]!, { ...before.users[1]!, mail: 'other@lab.test' }] };
  const next = wantedEntries(changed, policy, 'second');
  const named = (all: typeof wanted, uid: string) => all.find(({ dn }) => dn.startsWith(`uid=${uid},`))!;
  expect(named(next, 'ada')).toBe(named(wanted, 'ada'));
  expect(named(next, 'grace').attributes.mail).toEqual(['other@lab.test']);
  expect(named(next, 'grace').attributes.memberOf).toEqual(named(wanted, 'grace').attributes.memberOf);
  const left = { ...changed, groups: [group('all', ['ada'])] };
  const last = wantedEntries(left, policy, 'third');
  expect(named(last, 'grace').attributes.memberOf).toBeUndefined();
  expect(named(last, 'ada').attributes.memberOf).toEqual(['cn=all,ou=groups,dc=one,dc=test']);
});
