// The buttons below the list of users, for those that were chosen.
import { users } from '../../shared/services/ldap/users.ts';
import { chosenForm } from '../forms/collection-list.ts';

export const operation = chosenForm(users);
