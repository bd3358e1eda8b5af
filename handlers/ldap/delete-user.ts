// Delete a directory user.
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { users } from '../../shared/services/ldap/users.ts';

export const operation = deleteOperation(users, {
  id: 'deleteLdapUser',
  summary: 'Delete a directory user',
  description: 'One that is a member of groups can’t be deleted.',
});
