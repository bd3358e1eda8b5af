// The form that creates a directory user.
import { newUserFields } from '../../shared/services/ldap/form-fields.ts';
import { users } from '../../shared/services/ldap/users.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createLdapUser } from './create-user.ts';

export const operation = createForm(users, createLdapUser, { decode: newUserFields });
