// The button that deletes a bind account, on the page that asks for confirmation.
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';
import { deleteForm } from '../forms/collection-form.ts';
import { operation as deleteLdapBindAccount } from './delete-bind-account.ts';

export const operation = deleteForm(bindAccounts, deleteLdapBindAccount);
