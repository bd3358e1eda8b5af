// All groups of the directory.
import { groups } from '../../shared/services/ldap/groups.ts';
import { directoryList } from './directory-list.tsx';
import { GROUPS } from './places.tsx';

export const page = directoryList(groups, {
  id: 'ldapGroupsPage',
  place: GROUPS,
  of: 'directoryGroup',
  noun: 'group',
  intro: 'Groups for roles in products. A group may hold other groups.',
  columns: [
    { key: 'users', label: 'Users', cell: ({ member_users }) => member_users.length },
    {
      key: 'groups',
      label: 'Holds groups',
      cell: ({ member_groups }) => member_groups.join(', ') || <span class="muted">none</span>,
    },
  ],
  empty: 'There is no group yet.',
});
