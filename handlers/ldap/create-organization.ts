// Create an organization.
import { createOperation } from '../../shared/platform/units/collection-operations.ts';
import { organizations } from '../../shared/services/ldap/organizations.ts';

export const operation = createOperation(organizations, {
  id: 'createLdapOrganization',
  summary: 'Create an organization',
  description: 'Its tree is served once it is enabled and applied. Suffix and short name stay.',
});
