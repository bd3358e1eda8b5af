// The form that updates a directory user.
import { userFields } from '../../shared/services/ldap/form-fields.ts';
import { users } from '../../shared/services/ldap/users.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateLdapUser } from './update-user.ts';

export const operation = updateForm(users, updateLdapUser, { decode: userFields });
