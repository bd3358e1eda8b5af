// Update a bind account.
import { updateOperation } from '../../shared/platform/units/collection-operations.ts';
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';

export const operation = updateOperation(bindAccounts, {
  id: 'updateLdapBindAccount',
  summary: 'Update a bind account',
  description: 'Members that are left out stay as they are.',
});
