// Delete an organization.
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { organizations } from '../../shared/services/ldap/organizations.ts';

export const operation = deleteOperation(organizations, {
  id: 'deleteLdapOrganization',
  summary: 'Delete an organization',
  description: 'Only one without users, groups and bind accounts. What the directory kept of it goes with the apply.',
});
