// The button that unlocks a bind account.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as unlockLdapBindAccount } from './unlock-bind-account.ts';

export const operation = formOf(unlockLdapBindAccount, {
  path: `${pageRoute('ldap-bind-account')}/unlock`,
  page: pageRoute('ldap-bind-account'),
  decode: () => undefined,
  done: (answer, _fields, { bind_account_id }) => ({
    location: pagePath('ldap-bind-account', bind_account_id!),
    flash: (answer.body as { unlocked: boolean }).unlocked
      ? 'It is unlocked.'
      : 'It was not locked by wrong passwords.',
  }),
});
