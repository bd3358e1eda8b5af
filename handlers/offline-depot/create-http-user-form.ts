// The form that adds a depot user.

import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import type { DepotUser } from '../../shared/services/offline-depot/users.ts';
import { operation as createDepotUser } from './create-http-user.ts';

export const operation = formOf(createDepotUser, {
  path: `${pagePath('offline-depot-users')}/new`,
  secret: ['password'],
  decode: (fields) => ({ name: fields.text('name'), password: fields.values.get('password') ?? '' }),
  done: ({ body }) => ({
    location: pagePath('offline-depot'),
    flash: `The depot user ${(body as DepotUser).name} is added. Choose it in the settings to let it in.`,
  }),
});
