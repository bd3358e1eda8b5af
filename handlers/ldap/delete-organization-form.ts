// The button that deletes an organization, on the page that asks for confirmation.
import { organizations } from '../../shared/services/ldap/organizations.ts';
import { deleteForm } from '../forms/collection-form.ts';
import { operation as deleteLdapOrganization } from './delete-organization.ts';

export const operation = deleteForm(organizations, deleteLdapOrganization);
