// The form that creates a directory group.
import { newGroupFields } from '../../shared/services/ldap/form-fields.ts';
import { groups } from '../../shared/services/ldap/groups.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createLdapGroup } from './create-group.ts';

export const operation = createForm(groups, createLdapGroup, { decode: newGroupFields });
