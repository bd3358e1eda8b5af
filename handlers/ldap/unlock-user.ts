// Unlocks a directory user that wrong passwords have locked.
import * as v from 'valibot';
import { component, described, idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { userDn } from '../../shared/services/ldap/follow/wanted.ts';
import { organizationNamed } from '../../shared/services/ldap/organizations.ts';
import { unlockAccount } from '../../shared/services/ldap/status.ts';
import { users } from '../../shared/services/ldap/users.ts';

const unlockedSchema = component(
  'LdapUserUnlocked',
  v.object({ unlocked: described(v.boolean(), 'False: wrong passwords had not locked it.') }),
);

export const operation = defineOperation({
  id: 'unlockLdapUser',
  method: 'POST',
  path: '/api/v1/ldap/users/{directory_user_id}/unlock',
  access: { scope: 'write:ldap' },
  effect: 'immediate',
  tag: 'LDAP',
  summary: 'Unlock a directory user',
  description:
    'Ends a lock by wrong passwords, in the running directory and at once; no apply is needed. One that is disabled stays so.',
  params: idParam('directory_user_id', 'Id of the directory user.'),
  answers: { 200: { description: 'Whether there was a lock.', schema: unlockedSchema } },
  problems: ['resource_not_found', 'state_conflict'],
  audit: ['ldap.user.unlock'],
  preparesHost: true,
  async prepare({ services, params }) {
    const found = await findItem(services.store, users, params.directory_user_id);
    const { suffix } = await organizationNamed(services.store, found.organization_id);
    const unlocked = await unlockAccount(services.host, userDn(found.uid, suffix));
    return { unlocked, title: users.title(found), organization: found.organization };
  },
  async run({ params, prepared, audit }) {
    const { unlocked, title, organization } = prepared as { unlocked: boolean; title: string; organization: string };
    const detail = { title, organization, unlocked };
    audit({ action: 'ldap.user.unlock', resource_type: 'ldap_user', resource_id: params.directory_user_id, detail });
    return { body: { unlocked } };
  },
});
