// Unlocks a bind account that wrong passwords have locked.
import * as v from 'valibot';
import { component, described, idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';
import { accountDn } from '../../shared/services/ldap/follow/wanted.ts';
import { organizationNamed } from '../../shared/services/ldap/organizations.ts';
import { unlockAccount } from '../../shared/services/ldap/status.ts';

const unlockedSchema = component(
  'LdapBindAccountUnlocked',
  v.object({ unlocked: described(v.boolean(), 'False: wrong passwords had not locked it.') }),
);

export const operation = defineOperation({
  id: 'unlockLdapBindAccount',
  method: 'POST',
  path: '/api/v1/ldap/bind-accounts/{bind_account_id}/unlock',
  access: { scope: 'write:ldap' },
  effect: 'immediate',
  tag: 'LDAP',
  summary: 'Unlock a bind account',
  description:
    'Ends a lock by wrong passwords, in the running directory and at once; no apply is needed. One that is disabled stays so.',
  params: idParam('bind_account_id', 'Id of the bind account.'),
  answers: { 200: { description: 'Whether there was a lock.', schema: unlockedSchema } },
  problems: ['resource_not_found', 'state_conflict'],
  audit: ['ldap.bind_account.unlock'],
  preparesHost: true,
  async prepare({ services, params }) {
    const found = await findItem(services.store, bindAccounts, params.bind_account_id);
    const { suffix } = await organizationNamed(services.store, found.organization_id);
    const unlocked = await unlockAccount(services.host, accountDn(found.name, suffix));
    return { unlocked, title: bindAccounts.title(found), organization: found.organization };
  },
  async run({ params, prepared, audit }) {
    const { unlocked, title, organization } = prepared as { unlocked: boolean; title: string; organization: string };
    const detail = { title, organization, unlocked };
    audit({
      action: 'ldap.bind_account.unlock',
      resource_type: 'ldap_bind_account',
      resource_id: params.bind_account_id,
      detail,
    });
    return { body: { unlocked } };
  },
});
