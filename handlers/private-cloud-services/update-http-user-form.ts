// The form that sets the password of a depot user.
import type { DepotUser } from '../../shared/offline-depot/users.ts';
import { defineForm } from '../../shared/operation/define-operation.ts';
import { operation as updateDepotUser } from './update-http-user.ts';

const PATH = '/ui/management/offline-depot/users/{http_user_id}';

export const operation = defineForm(
  { of: updateDepotUser, path: PATH, access: { session: 'write:depot' } },
  {
    page: PATH,
    secret: ['password'],
    decode: (fields) => ({ password: fields.values.get('password') ?? '' }),
    done: ({ body }) => ({
      location: '/ui/management/offline-depot',
      flash: `The password of the depot user ${(body as DepotUser).name} is set.`,
    }),
  },
);
