// Reading directory groups from CSV.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { groups } from '../../shared/services/ldap/groups.ts';
import { importPage } from '../units/import-page.tsx';

export const page = importPage(groups, [
  { href: pagePath('ldap'), label: 'LDAP' },
  { href: pagePath('ldap-groups'), label: 'Groups' },
]);
