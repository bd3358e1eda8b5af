// The form that updates an organization.
import { organizationFields } from '../../shared/services/ldap/form-fields.ts';
import { organizations } from '../../shared/services/ldap/organizations.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateLdapOrganization } from './update-organization.ts';

export const operation = updateForm(organizations, updateLdapOrganization, { decode: organizationFields });
