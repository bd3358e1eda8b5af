// Update a directory user.
import { updateOperation } from '../../shared/platform/units/collection-operations.ts';
import { users } from '../../shared/services/ldap/users.ts';

export const operation = updateOperation(users, {
  id: 'updateLdapUser',
  summary: 'Update a directory user',
  description: 'Members that are left out stay as they are.',
});
