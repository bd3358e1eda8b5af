// Delete a bind account.
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';

export const operation = deleteOperation(bindAccounts, {
  id: 'deleteLdapBindAccount',
  summary: 'Delete a bind account',
  description: 'Products that look users up with it can’t any more, once that is applied.',
});
