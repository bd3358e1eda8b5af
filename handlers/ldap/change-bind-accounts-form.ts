// The buttons below the list of bind accounts, for those that were chosen.
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';
import { chosenForm } from '../forms/collection-list.ts';

export const operation = chosenForm(bindAccounts);
