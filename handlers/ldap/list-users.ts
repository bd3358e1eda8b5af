// List directory users.
import { listOperation } from '../../shared/platform/units/collection-operations.ts';
import { users } from '../../shared/services/ldap/users.ts';

export const operation = listOperation(users, {
  id: 'listLdapUsers',
  summary: 'List directory users',
  description: 'By name, over all organizations.',
});
