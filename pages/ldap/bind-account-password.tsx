// The password of a bind account.
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';
import { passwordPage } from './password-page.tsx';
import { ACCOUNTS } from './places.tsx';

export const page = passwordPage(bindAccounts, { component: 'LdapBindAccount', home: ACCOUNTS });
