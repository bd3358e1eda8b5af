// The form that updates a bind account.

import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';
import { accountFields } from '../../shared/services/ldap/form-fields.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateLdapBindAccount } from './update-bind-account.ts';

export const operation = updateForm(bindAccounts, updateLdapBindAccount, { decode: accountFields });
