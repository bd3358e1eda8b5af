// The form that creates an organization.
import { newOrganizationFields } from '../../shared/services/ldap/form-fields.ts';
import { organizations } from '../../shared/services/ldap/organizations.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createLdapOrganization } from './create-organization.ts';

export const operation = createForm(organizations, createLdapOrganization, { decode: newOrganizationFields });
