// The form that updates a directory group.
import { groupFields } from '../../shared/services/ldap/form-fields.ts';
import { groups } from '../../shared/services/ldap/groups.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateLdapGroup } from './update-group.ts';

export const operation = updateForm(groups, updateLdapGroup, { decode: groupFields });
