// The form that adds a depot user.

import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import type { DepotUser } from '../../shared/services/offline-depot/users.ts';
import { operation as createDepotUser } from './create-http-user.ts';

const PATH = `${pagePath('offline-depot-users')}/new`;

export const operation = defineForm(
  { of: createDepotUser, path: PATH, access: { session: 'write:depot' } },
  {
    page: PATH,
    secret: ['password'],
    decode: (fields) => ({ name: fields.text('name'), password: fields.values.get('password') ?? '' }),
    done: ({ body }) => ({
      location: pagePath('offline-depot'),
      flash: `The depot user ${(body as DepotUser).name} is added. Choose it in the settings to let it in.`,
    }),
  },
);
