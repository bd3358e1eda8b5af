// All bind accounts of the directory.
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';
import { directoryList } from './directory-list.tsx';
import { ACCOUNTS } from './places.tsx';

export const page = directoryList(bindAccounts, {
  id: 'ldapBindAccountsPage',
  place: ACCOUNTS,
  of: 'bindAccount',
  noun: 'bind account',
  intro: 'Accounts that products use to look users up: one for each product.',
  columns: [
    {
      key: 'password',
      label: 'Password',
      cell: ({ password_set_at }) => (password_set_at === null ? <span class="muted">none yet</span> : 'set'),
    },
  ],
  empty: 'There is no bind account yet.',
});
