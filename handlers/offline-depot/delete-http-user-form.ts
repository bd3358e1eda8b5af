// The button that deletes a depot user, on the page that asks for confirmation.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deleteDepotUser } from './delete-http-user.ts';

const PATH = `${pageRoute('offline-depot-user')}/delete`;

export const operation = defineForm(
  { of: deleteDepotUser, path: PATH, access: { session: 'write:depot' } },
  {
    page: PATH,
    decode: () => undefined,
    done: () => ({ location: pagePath('offline-depot'), flash: 'The depot user is deleted.' }),
  },
);
