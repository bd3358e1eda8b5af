// List bind accounts.
import { listOperation } from '../../shared/platform/units/collection-operations.ts';
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';

export const operation = listOperation(bindAccounts, {
  id: 'listLdapBindAccounts',
  summary: 'List bind accounts',
  description: 'By name, over all organizations.',
});
