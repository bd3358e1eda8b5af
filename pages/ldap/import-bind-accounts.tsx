// Reading bind accounts from CSV.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';
import { importPage } from '../units/import-page.tsx';

export const page = importPage(bindAccounts, [
  { href: pagePath('ldap'), label: 'LDAP' },
  { href: pagePath('ldap-bind-accounts'), label: 'Bind accounts' },
]);
