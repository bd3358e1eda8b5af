// The button that deletes a directory group, on the page that asks for confirmation.
import { groups } from '../../shared/services/ldap/groups.ts';
import { deleteForm } from '../forms/collection-form.ts';
import { operation as deleteLdapGroup } from './delete-group.ts';

export const operation = deleteForm(groups, deleteLdapGroup);
