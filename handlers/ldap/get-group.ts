// Get a directory group.
import { getOperation } from '../../shared/platform/units/collection-operations.ts';
import { groups } from '../../shared/services/ldap/groups.ts';

export const operation = getOperation(groups, {
  id: 'getLdapGroup',
  summary: 'Get a directory group',
  description: 'With the entity tag that If-Match takes.',
});
