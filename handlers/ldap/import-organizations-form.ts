// The form that reads organizations from CSV.
import { organizations } from '../../shared/services/ldap/organizations.ts';
import { importForm } from '../forms/import-form.ts';
import { operation as importLdapOrganizations } from './import-organizations.ts';

export const operation = importForm(organizations, importLdapOrganizations);
