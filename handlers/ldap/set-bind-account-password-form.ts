// The form that sets the password of a bind account; a generated one is shown on the next page, once.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as setLdapBindAccountPassword } from './set-bind-account-password.ts';

export const operation = formOf(setLdapBindAccountPassword, {
  path: `${pageRoute('ldap-bind-account')}/password`,
  secret: 'all',
  decode: (fields) => ({ password: fields.values.get('password') || undefined }),
  done: (_answer, _fields, { bind_account_id }) => ({ location: pagePath('ldap-bind-account', bind_account_id!) }),
  shows: true,
});
