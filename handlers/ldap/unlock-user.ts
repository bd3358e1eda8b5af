// Unlocks a directory user that wrong passwords have locked.
import * as v from 'valibot';
import { component, described, idParam } from '../../shared/ground/schemas/component.ts';
import type { AuditEvent } from '../../shared/kernel/audit/audit.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { userDn } from '../../shared/services/ldap/follow/wanted.ts';
import { organizationNamed } from '../../shared/services/ldap/organizations.ts';
import { unlockAccount } from '../../shared/services/ldap/unlock.ts';
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
    'Ends a lock by wrong passwords, in the running directory and at once; no apply is needed. An audit event is written before the directory is asked, and another one when it has answered. One that is disabled stays so.',
  params: idParam('directory_user_id', 'Id of the directory user.'),
  answers: { 200: { description: 'Whether there was a lock.', schema: unlockedSchema } },
  problems: ['resource_not_found', 'state_conflict'],
  audit: ['ldap.user.unlock'],
  preparesHost: true,
  async prepare(context) {
    const { store } = context.services;
    const found = await findItem(store, users, context.params.directory_user_id);
    const { suffix } = await organizationNamed(store, found.organization_id);
    const event = {
      action: 'ldap.user.unlock',
      resource_type: 'ldap_user',
      resource_id: found.id,
      detail: { title: users.title(found), organization: found.organization },
    };
    return { event, unlocked: await unlockAccount(context, userDn(found.uid, suffix), event) };
  },
  async run({ prepared, audit }) {
    const { event, unlocked } = prepared as { event: AuditEvent; unlocked: boolean };
    audit({ ...event, detail: { ...event.detail, unlocked } });
    return { body: { unlocked } };
  },
});
