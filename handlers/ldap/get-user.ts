// Get a directory user.
import { getOperation } from '../../shared/platform/units/collection-operations.ts';
import { users } from '../../shared/services/ldap/users.ts';

export const operation = getOperation(users, {
  id: 'getLdapUser',
  summary: 'Get a directory user',
  description: 'With the entity tag that If-Match takes.',
});
