// Makes test users and groups of a lab.
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { organizations } from '../../shared/services/ldap/organizations.ts';
import { type Initial, initialPasswords } from '../../shared/services/ldap/transfer/initial.ts';
import { testUsersMadeSchema, testUsersSchema } from '../../shared/services/ldap/transfer/schemas.ts';
import { makeTestUsers } from '../../shared/services/ldap/transfer/test-users.ts';

export const operation = defineOperation({
  id: 'makeLdapTestUsers',
  method: 'POST',
  path: '/api/v1/ldap/organizations/{organization_id}/test-users',
  access: { scope: 'write:ldap' },
  effect: 'desired-state',
  tag: 'LDAP',
  summary: 'Make test users',
  description:
    'Saves desired state only; the directory follows at the next reviewed apply. Makes users with invented names, and groups among which they are spread, all of them or none. Names end in the seed, and the same seed gives the same ones; a seed whose names are taken is refused. All share one audit event.',
  params: idParam('organization_id', 'Id of the organization.'),
  body: testUsersSchema,
  answers: { 200: { description: 'Their names, and the password of all.', schema: testUsersMadeSchema } },
  problems: ['resource_not_found'],
  audit: ['ldap.test_users'],
  async prepare({ services, body, request }): Promise<Initial | null> {
    if (body.passwords !== 'same' || request.dry_run) return null;
    return (await initialPasswords(services.store, ['all'])).get('all')!;
  },
  async run({ services, tx, actor, params, body, prepared, audit }) {
    const { id, slug } = await findItem(tx, organizations, params.organization_id);
    const { count, groups = 0, seed } = body;
    const initial = prepared as Initial | null;
    const wish = { organization_id: id, count, groups, seed };
    const made = await makeTestUsers(tx, { ...services, actor }, wish, initial);
    const detail = { organization: slug, count, groups, seed, passwords: initial !== null };
    audit({ action: 'ldap.test_users', resource_type: 'ldap_organization', resource_id: id, detail });
    return { body: { ...made, password: initial?.password ?? null } };
  },
});
