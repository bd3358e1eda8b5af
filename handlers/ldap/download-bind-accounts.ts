// The bind accounts of the list as a CSV file.
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';
import { downloadOf } from '../forms/collection-list.ts';

export const operation = downloadOf(bindAccounts, { of: 'bindAccount', filters: ['organization_id'] });
