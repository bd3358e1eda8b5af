// The button that deletes a depot user, on the page that asks for confirmation.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deleteDepotUser } from './delete-http-user.ts';

export const operation = formOf(deleteDepotUser, {
  path: `${pageRoute('offline-depot-user')}/delete`,
  done: () => ({ location: pagePath('offline-depot'), flash: 'The depot user is deleted.' }),
});
