// Scopes of API tokens as people read them, and the sets to begin with.
import { expect, test } from '@jest/globals';
import { presetsFor, SCOPE_NAMES, SCOPE_PRESETS, scopeLinesInWords } from '../../pages/access/scope-words.ts';
import { SCOPES, scopesOfRole } from '../../shared/kernel/access/scopes.ts';

test('every resource of a scope has a name', () => {
  const resources = new Set(SCOPES.map((scope) => scope.split(':')[1]!));
  expect(Object.keys(SCOPE_NAMES).sort()).toEqual([...resources].sort());
});

test.each([
  [['write:dns'], ['DNS zones and records: read and write']],
  [
    ['read:dhcp', 'write:dns', 'read:dns'],
    ['DNS zones and records: read and write', 'DHCP: read'],
  ],
  [['write:dns', 'write:apply', 'read:jobs'], ['DNS automation']],
  [SCOPES.filter((scope) => scope.startsWith('read:')), ['Read everything']],
])('%j reads %j', (scopes, lines) => {
  expect(scopeLinesInWords(scopes)).toEqual(lines);
});

test('a role is offered the presets that it can give whole', () => {
  const of = (role: Parameters<typeof scopesOfRole>[0]) => presetsFor([...scopesOfRole(role)]).map(({ id }) => id);
  expect(of('admin')).toEqual(SCOPE_PRESETS.map(({ id }) => id));
  expect(of('service-admin')).not.toContain('network');
  expect(of('network-admin')).not.toContain('dns');
  const [read] = presetsFor([...scopesOfRole('service-admin')]);
  expect(read!.scopes).not.toContain('read:users');
});
