// All users of the directory.
import { users } from '../../shared/services/ldap/users.ts';
import { directoryList } from './directory-list.tsx';
import { USERS } from './places.tsx';

export const page = directoryList(users, {
  id: 'ldapUsersPage',
  place: USERS,
  of: 'directoryUser',
  noun: 'user',
  intro: 'People and services that sign in to products through the directory.',
  columns: [
    {
      key: 'person',
      label: 'Person',
      cell: ({ display_name, given_name, surname }) => display_name || `${given_name} ${surname}`.trim(),
    },
    {
      key: 'password',
      label: 'Password',
      cell: ({ password_set_at }) => (password_set_at === null ? <span class="muted">none yet</span> : 'set'),
    },
  ],
  empty: 'There is no user yet.',
});
