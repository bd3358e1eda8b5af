// The applied entries as text: each is parsed once, whoever reads it and however often.
import { expect, test } from '@jest/globals';
import { parseEntries } from '../../../../shared/services/ldap/entries.ts';
import { wantedEntries } from '../../../../shared/services/ldap/follow/wanted.ts';

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
