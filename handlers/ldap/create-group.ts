// Create a directory group.
import { createOperation } from '../../shared/platform/units/collection-operations.ts';
import { groups } from '../../shared/services/ldap/groups.ts';

export const operation = createOperation(groups, {
  id: 'createLdapGroup',
  summary: 'Create a directory group',
  description: 'Members are of the same organization; groups may hold groups, and no circle.',
});
