// Update an organization.
import { updateOperation } from '../../shared/platform/units/collection-operations.ts';
import { organizations } from '../../shared/services/ldap/organizations.ts';

export const operation = updateOperation(organizations, {
  id: 'updateLdapOrganization',
  summary: 'Update an organization',
  description: 'Members that are left out stay as they are.',
});
