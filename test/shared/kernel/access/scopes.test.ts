// Who may do what, in full: the table is the contract of every token that is out there.
import { expect, test } from '@jest/globals';
import {
  isScope,
  ROLES,
  SCOPES,
  type Scope,
  scopesOfRole,
  scopesOfSession,
  withReads,
} from '../../../../shared/kernel/access/scopes.ts';

const NETWORK = ['interfaces', 'vlans', 'firewall', 'management-tls'];
const SERVICES = [
  'dns',
  'dhcp',
  'ntp',
  'ca',
  'ca-requests',
  'kms',
  'ldap',
  'oidc',
  'depot',
  'storage',
  'pxe',
  'terminal',
  'settings',
  'alerts',
];
const OPERATING = ['tokens', 'jobs', 'apply'];
const ADMIN_ONLY = ['vaults', 'users', 'archives', 'terminal-recordings'];
const WATCHED = ['read:audit', 'read:metrics'];
const ALL = [...NETWORK, ...SERVICES, ...OPERATING, ...ADMIN_ONLY];

const both = (resources: string[]) => resources.flatMap((resource) => [`read:${resource}`, `write:${resource}`]);
const sorted = (scopes: Iterable<string>) => [...scopes].sort();

test('every resource can be read and written, the audit log, metrics and logs read', () => {
  expect(sorted(SCOPES)).toEqual(sorted([...both(ALL), ...WATCHED, 'read:logs']));
  expect(new Set(SCOPES).size).toBe(SCOPES.length);
});

test.each<[(typeof ROLES)[number], string[]]>([
  ['admin', [...both(ALL), 'read:logs']],
  ['service-admin', both([...SERVICES, ...OPERATING])],
  ['network-admin', [...both([...NETWORK, ...OPERATING]), 'read:settings', 'read:alerts']],
  ['viewer', [...NETWORK, ...SERVICES, ...OPERATING].map((resource) => `read:${resource}`)],
])('the role %s reaches what it is for, the audit log and metrics', (role, scopes) => {
  expect(sorted(scopesOfRole(role))).toEqual(sorted([...scopes, ...WATCHED]));
});

test('there are four roles', () => expect(ROLES).toEqual(['admin', 'service-admin', 'network-admin', 'viewer']));

test('to write includes to read the same, and nothing the other way round', () => {
  const given: Scope[] = ['write:dns', 'read:ntp'];
  expect(sorted(withReads(given))).toEqual(['read:dns', 'read:ntp', 'write:dns']);
});

test.each([
  ['read:dns', true],
  ['write:dns', true],
  ['read:audit', true],
  ['write:audit', false],
  ['write:metrics', false],
  ['read:', false],
  ['', false],
])('%p is a scope: %p', (text, is) => expect(isScope(text)).toBe(is));

const ASKING: Record<(typeof ROLES)[number], Scope[]> = {
  admin: ['read:ca-requests', 'write:ca-requests'],
  'service-admin': ['read:ca-requests', 'write:ca-requests'],
  'network-admin': [],
  viewer: ['read:ca-requests'],
};

test.each(ROLES)(
  'a session of %s has all of the role, and on the public pages requests for certificates alone',
  (role) => {
    expect(scopesOfSession(role, 'management')).toBe(scopesOfRole(role));
    expect([...scopesOfSession(role, 'public')].sort()).toEqual(ASKING[role]);
  },
);
