// The form that sets the password of a depot user.

import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import type { DepotUser } from '../../shared/services/offline-depot/users.ts';
import { operation as updateDepotUser } from './update-http-user.ts';

const PATH = pageRoute('offline-depot-user');

export const operation = defineForm(
  { of: updateDepotUser, path: PATH, access: { session: 'write:depot' } },
  {
    page: PATH,
    secret: ['password'],
    decode: (fields) => ({ password: fields.values.get('password') ?? '' }),
    done: ({ body }) => ({
      location: pagePath('offline-depot'),
      flash: `The password of the depot user ${(body as DepotUser).name} is set.`,
    }),
  },
);
