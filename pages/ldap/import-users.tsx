// Reading directory users from CSV.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { users } from '../../shared/services/ldap/users.ts';
import { importPage } from '../units/import-page.tsx';

export const page = importPage(users, [
  { href: pagePath('ldap'), label: 'LDAP' },
  { href: pagePath('ldap-users'), label: 'Users' },
]);
