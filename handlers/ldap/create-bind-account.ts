// Create a bind account.
import { createOperation } from '../../shared/platform/units/collection-operations.ts';
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';

export const operation = createOperation(bindAccounts, {
  id: 'createLdapBindAccount',
  summary: 'Create a bind account',
  description:
    'It may read users and groups of its organization, but no password, and nothing of another organization. It binds once a password is set and applied.',
});
