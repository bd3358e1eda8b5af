// Create a directory user.
import { createOperation } from '../../shared/platform/units/collection-operations.ts';
import { users } from '../../shared/services/ldap/users.ts';

export const operation = createOperation(users, {
  id: 'createLdapUser',
  summary: 'Create a directory user',
  description:
    'It can sign in once a password is set and applied. Members that are left empty have a value in the directory, since clients ask for one.',
});
