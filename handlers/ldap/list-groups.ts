// List directory groups.
import { listOperation } from '../../shared/platform/units/collection-operations.ts';
import { groups } from '../../shared/services/ldap/groups.ts';

export const operation = listOperation(groups, {
  id: 'listLdapGroups',
  summary: 'List directory groups',
  description: 'By name, over all organizations.',
});
