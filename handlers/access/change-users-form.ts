// The buttons below the list of users, for those that were chosen. Each needs the own password, as for one user.
import * as v from 'valibot';
import { instant } from '../../shared/ground/clock.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { USERS_LIST } from '../../shared/kernel/access/list-words.ts';
import { findUser } from '../../shared/kernel/access/user.ts';
import { confirmPassword, OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import { rowsForm } from '../forms/row-list.ts';
import { operation as deleteUser } from './delete-user.ts';
import { operation as updateUser } from './update-user.ts';

export const operation = rowsForm({
  words: USERS_LIST,
  param: 'user_id',
  verbs: { enable: updateUser, disable: updateUser, delete: deleteUser },
  body: (verb) => (verb === 'delete' ? undefined : { enabled: verb === 'enable' }),
  fields: {
    schemas: { [OWN_PASSWORD]: v.optional(v.pipe(v.string(), v.maxLength(1024)), '') },
    decode: (fields) => ({ [OWN_PASSWORD]: fields.values.get(OWN_PASSWORD) ?? '' }),
    secret: [OWN_PASSWORD],
  },
  confirm: ({ services, actor, request }, { verb, [OWN_PASSWORD]: password }) =>
    confirmPassword(
      services,
      { at: instant(request.now), actor, request_id: request.id, source_address: request.source_address },
      String(password),
      {
        event: { action: verb === 'delete' ? 'user.delete' : 'user.update', resource_type: 'user', resource_id: null },
        pointer: `/${OWN_PASSWORD}`,
      },
    ),
  name: async (db, id) => (await findUser(db, id)).name,
  page: pagePath('users'),
  path: `${pagePath('users')}/chosen`,
  kept: ['search', 'sort', 'state', 'role', 'cursor'],
});
