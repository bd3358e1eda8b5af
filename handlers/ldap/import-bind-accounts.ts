// Reads bind accounts from CSV.
import { importOperation } from '../../shared/platform/units/import-operation.ts';
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';

export const operation = importOperation(bindAccounts);
