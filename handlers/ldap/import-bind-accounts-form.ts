// The form that reads bind accounts from CSV.
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';
import { importForm } from '../forms/import-form.ts';
import { operation as importLdapBindAccounts } from './import-bind-accounts.ts';

export const operation = importForm(bindAccounts, importLdapBindAccounts);
