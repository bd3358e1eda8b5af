// Creates a user.
import { acceptPassword } from '../../shared/kernel/access/password-rules.ts';
import { userCreateSchema, userSchema } from '../../shared/kernel/access/schemas.ts';
import { createUser } from '../../shared/kernel/access/user.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'createUser',
  method: 'POST',
  path: '/api/v1/users',
  access: { scope: 'write:users' },
  effect: 'immediate',
  tag: 'Users',
  summary: 'Create a user',
  description: 'Creates an enabled user with one role. Changes application state immediately.',
  body: userCreateSchema,
  answers: { 201: { description: 'The user that was created.', schema: userSchema, tagged: true } },
  problems: ['already_exists'],
  audit: ['user.create'],
  prepare: ({ body }) => acceptPassword(body.password, body.name),
  async run({ services, tx, body, prepared, audit }) {
    const wanted = { name: body.name, role: body.role, password_hash: prepared as string };
    const user = await createUser(tx, services, wanted);
    audit({
      action: 'user.create',
      resource_type: 'user',
      resource_id: user.id,
      detail: { name: user.name, role: user.role },
    });
    return { status: 201, body: user, revision: user.revision };
  },
});
