// The form that reads directory users from CSV.
import { users } from '../../shared/services/ldap/users.ts';
import { importForm } from '../forms/import-form.ts';
import { operation as importLdapUsers } from './import-users.ts';

export const operation = importForm(users, importLdapUsers);
