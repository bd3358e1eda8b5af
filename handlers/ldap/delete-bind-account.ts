// Delete a bind account.
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';

export const operation = deleteOperation(bindAccounts, {
  id: 'deleteLdapBindAccount',
  summary: 'Delete a bind account',
  description: 'Once that is applied, products can no longer look users up with it.',
});
