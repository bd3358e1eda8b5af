// The button that unlocks a directory user.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as unlockLdapUser } from './unlock-user.ts';

export const operation = formOf(unlockLdapUser, {
  path: `${pageRoute('ldap-user')}/unlock`,
  page: pageRoute('ldap-user'),
  decode: () => undefined,
  done: (answer, _fields, { directory_user_id }) => ({
    location: pagePath('ldap-user', directory_user_id!),
    flash: (answer.body as { unlocked: boolean }).unlocked
      ? 'It is unlocked.'
      : 'It was not locked by wrong passwords.',
  }),
});
