// Adds a depot user.
import { hashPassword } from '../../shared/kernel/access/password.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { createDepotUser, depotUserCreateSchema, depotUserSchema } from '../../shared/services/offline-depot/users.ts';

const action = 'depot.http_user.create';

export const operation = defineOperation({
  id: 'createDepotUser',
  method: 'POST',
  path: '/api/v1/private-cloud-services/http-users',
  access: { scope: 'write:depot' },
  effect: 'immediate',
  tag: 'Offline depot',
  summary: 'Create a depot user',
  description:
    'Changes application state immediately. The account opens the offline depot and nothing else. It is let in once the settings of the depot name it and were applied.',
  body: depotUserCreateSchema,
  answers: { 201: { description: 'The depot user that was created.', schema: depotUserSchema, tagged: true } },
  problems: ['already_exists'],
  audit: [action],
  prepare: ({ body }) => hashPassword(body.password),
  async run({ tx, services, actor, body, prepared, audit }) {
    const draft = { name: body.name, password_hash: prepared as string, created_by: actor.name };
    const user = await createDepotUser(tx, services, draft);
    audit({ action, resource_type: 'depot_user', resource_id: user.id, detail: { name: user.name } });
    return { status: 201, body: user, revision: user.revision };
  },
});
