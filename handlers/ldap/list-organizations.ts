// List organizations.
import { listOperation } from '../../shared/platform/units/collection-operations.ts';
import { organizations } from '../../shared/services/ldap/organizations.ts';

export const operation = listOperation(organizations, {
  id: 'listLdapOrganizations',
  summary: 'List organizations',
  description: 'By short name.',
});
