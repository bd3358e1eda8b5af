// Delete a directory group.
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { groups } from '../../shared/services/ldap/groups.ts';

export const operation = deleteOperation(groups, {
  id: 'deleteLdapGroup',
  summary: 'Delete a directory group',
  description: 'One that is a member of another group can’t be deleted.',
});
