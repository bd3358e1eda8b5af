// Lists the users.
import * as v from 'valibot';
import { userListSchema } from '../../shared/access/schemas.ts';
import { listUsers } from '../../shared/access/user.ts';
import { defineOperation } from '../../shared/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'listUsers',
  method: 'GET',
  path: '/api/v1/users',
  plane: 'api',
  access: { scope: 'read:users' },
  effect: 'read',
  tag: 'Users',
  summary: 'List users',
  description: 'All users by name, on one page. Passwords are never part of an answer.',
  query: v.strictObject({ name: v.optional(v.pipe(v.string(), v.description('Only the user of exactly this name.'))) }),
  answers: { 200: { description: 'The users.', schema: userListSchema } },
  async run({ db, query }) {
    const users = await listUsers(db);
    const items = query.name === undefined ? users : users.filter((user) => user.name === query.name);
    return { body: { items, next_cursor: null } };
  },
});
