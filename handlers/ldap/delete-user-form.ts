// The button that deletes a directory user, on the page that asks for confirmation.
import { users } from '../../shared/services/ldap/users.ts';
import { deleteForm } from '../forms/collection-form.ts';
import { operation as deleteLdapUser } from './delete-user.ts';

export const operation = deleteForm(users, deleteLdapUser);
