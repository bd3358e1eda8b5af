// The button that deletes a depot user, on the page that asks for confirmation.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deleteDepotUser } from './delete-http-user.ts';

const PATH = '/ui/management/offline-depot/users/{http_user_id}/delete';

export const operation = defineForm(
  { of: deleteDepotUser, path: PATH, access: { session: 'write:depot' } },
  {
    page: PATH,
    decode: () => undefined,
    done: () => ({ location: '/ui/management/offline-depot', flash: 'The depot user is deleted.' }),
  },
);
