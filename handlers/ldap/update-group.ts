// Update a directory group.
import { updateOperation } from '../../shared/platform/units/collection-operations.ts';
import { groups } from '../../shared/services/ldap/groups.ts';

export const operation = updateOperation(groups, {
  id: 'updateLdapGroup',
  summary: 'Update a directory group',
  description: 'Members that are left out stay as they are.',
});
