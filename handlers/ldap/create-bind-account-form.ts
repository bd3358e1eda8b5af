// The form that creates a bind account.

import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';
import { newAccountFields } from '../../shared/services/ldap/form-fields.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createLdapBindAccount } from './create-bind-account.ts';

export const operation = createForm(bindAccounts, createLdapBindAccount, { decode: newAccountFields });
