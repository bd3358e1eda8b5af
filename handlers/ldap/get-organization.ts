// Get an organization.
import { getOperation } from '../../shared/platform/units/collection-operations.ts';
import { organizations } from '../../shared/services/ldap/organizations.ts';

export const operation = getOperation(organizations, {
  id: 'getLdapOrganization',
  summary: 'Get an organization',
  description: 'With the entity tag that If-Match takes.',
});
