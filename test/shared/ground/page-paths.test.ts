// Paths of pages: filled with ids, and where a form may lead back to.
import { describe, expect, test } from '@jest/globals';
import { pagePath, pageRoute, returnPath } from '../../../shared/ground/page-paths.ts';

describe('paths of pages', () => {
  test('ids fill the route in their order, encoded', () => {
    expect(pageRoute('vault-entry')).toBe('/ui/management/vaults/{vault_id}/entries/{entry_id}');
    expect(pagePath('vault-entry', 'vlt_1', 'a/b')).toBe('/ui/management/vaults/vlt_1/entries/a%2Fb');
    expect(pagePath('interface', 'ens192.30')).toBe('/ui/management/interfaces/ens192.30');
    expect(pagePath('overview')).toBe('/ui/management');
  });

  test.each(['/ui/management', '/ui/management/dns/zones?cursor=a%20b', '/ui/management?x=1'])(
    '%s is led back to',
    (own) => {
      expect(returnPath(own)).toBe(own);
    },
  );

  test.each([
    '',
    '//evil.example',
    'https://evil.example/ui/management',
    '/ui/management//evil.example',
    '/ui/managements',
    '/ui/public',
    '/ui/management/<script>',
    '/ui/management/dns\n',
  ])('%j is not', (other) => {
    expect(returnPath(other)).toBe('/ui/management');
  });
});
