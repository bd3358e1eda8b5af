// The form that sets the password of a directory user; a generated one is shown on the next page, once.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as setLdapUserPassword } from './set-user-password.ts';

export const operation = formOf(setLdapUserPassword, {
  path: `${pageRoute('ldap-user')}/password`,
  secret: 'all',
  decode: (fields) => ({ password: fields.values.get('password') || undefined }),
  done: (_answer, _fields, { directory_user_id }) => ({ location: pagePath('ldap-user', directory_user_id!) }),
  shows: true,
});
