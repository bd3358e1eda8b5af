// The form that reads directory groups from CSV.
import { groups } from '../../shared/services/ldap/groups.ts';
import { importForm } from '../forms/import-form.ts';
import { operation as importLdapGroups } from './import-groups.ts';

export const operation = importForm(groups, importLdapGroups);
