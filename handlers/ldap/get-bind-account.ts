// Get a bind account.
import { getOperation } from '../../shared/platform/units/collection-operations.ts';
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';

export const operation = getOperation(bindAccounts, {
  id: 'getLdapBindAccount',
  summary: 'Get a bind account',
  description: 'With the entity tag that If-Match takes.',
});
