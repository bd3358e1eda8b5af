// What the status tells of accounts and of following: a lock that has ended is none, and what could not be followed is said.
import { expect, test } from '@jest/globals';
import { parseEntries } from '../../../../shared/services/ldap/entries.ts';
import { noteStanding } from '../../../../shared/services/ldap/follow/standing.ts';
import { accountNow, ldapStatus } from '../../../../shared/services/ldap/status.ts';

const DN = 'uid=ada,ou=people,dc=lab,dc=test';
const LOCKED = '2026-01-01T00:00:00Z';

function directory(lockout_seconds: number, now: string) {
  const file = JSON.stringify({
    version: 1,
    policy: { max_failures: 3, lockout_seconds, max_age_seconds: 0 },
    organizations: [{ slug: 'lab', suffix: 'dc=lab,dc=test', users: [], groups: [], accounts: [] }],
  });
  const policy = `dn: cn=password-policy,ou=system,dc=lab,dc=test\npwdLockoutDuration: ${lockout_seconds}\n\n`;
  const stdout = `dn: ${DN}\npwdAccountLockedTime: 20260101000000Z\n\n${policy}`;
  const host = {
    enforces: true,
    resolve: (path: string) => path,
    daemonRunning: async () => true,
    read: async () => file,
    exec: async () => ({ code: 0, stdout, stderr: '' }),
  };
  const services = { host, store: {}, clock: { now: () => new Date(now) } } as never as Parameters<
    typeof ldapStatus
  >[0];
  return { services, file };
}

test.each([
  ['a minute before its end', 900, '2026-01-01T00:14:00Z', true],
  ['after its end, before anybody signs in again', 900, '2026-01-01T00:15:00Z', false],
  ['years later, where locks stay', 0, '2030-01-01T00:00:00Z', true],
])('a lock %s', async (_when, lockout_seconds, now, locked) => {
  const { services } = directory(lockout_seconds, now);
  const { locked: told, refused, faults } = await ldapStatus(services);
  expect([told, refused, faults]).toEqual([locked ? [{ dn: DN, since: LOCKED }] : [], null, null]);
  expect((await accountNow(services, DN))?.locked_since).toBe(locked ? LOCKED : null);
});

test('of one account the applied entries, which are long, are not read', async () => {
  const { services } = directory(900, '2026-01-01T00:14:00Z');
  const read = () => Promise.reject(new Error('read'));
  expect(await accountNow({ ...services, host: { ...services.host, read } }, DN)).toEqual({
    locked_since: LOCKED,
    last_sign_in: null,
  });
});

test('an organization that could not be followed is told, with what was refused before', async () => {
  const { services, file } = directory(0, LOCKED);
  const standing = { refused: [{ dn: DN, detail: 'no' }], faults: ['lab: The directory could not be changed'] };
  noteStanding(services.store, { digest: parseEntries(file).digest, ...standing });
  expect(await ldapStatus(services)).toMatchObject({ running: true, reason: null, ...standing });
});
