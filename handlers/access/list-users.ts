// Lists the users.
import * as v from 'valibot';
import { PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { userListSchema } from '../../shared/kernel/access/schemas.ts';
import { listUsers } from '../../shared/kernel/access/user.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'listUsers',
  method: 'GET',
  path: '/api/v1/users',
  access: { scope: 'read:users' },
  tag: 'Users',
  summary: 'List users',
  description: 'All users by name. Passwords are never part of an answer.',
  query: v.strictObject({
    ...PAGE_QUERY,
    name: v.optional(v.pipe(v.string(), v.description('Only the user of exactly this name.'))),
  }),
  answers: { 200: { description: 'A page of the users; `next_cursor` leads to the next.', schema: userListSchema } },
  problems: ['invalid_cursor'],
  async run({ db, query }) {
    return { body: await listUsers(db, { ...query, limit: pageLimit(query.limit) }) };
  },
});
