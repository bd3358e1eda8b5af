// The form that sets the password of a depot user.

import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import type { DepotUser } from '../../shared/services/offline-depot/users.ts';
import { operation as updateDepotUser } from './update-http-user.ts';

export const operation = formOf(updateDepotUser, {
  path: pageRoute('offline-depot-user'),
  secret: ['password'],
  decode: (fields) => ({ password: fields.values.get('password') ?? '' }),
  done: ({ body }) => ({
    location: pagePath('offline-depot'),
    flash: `The password of the depot user ${(body as DepotUser).name} is set.`,
  }),
});
