// The form that makes test users; the password of all is on the next page, once.
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as makeLdapTestUsers } from './make-test-users.ts';

export const operation = formOf(makeLdapTestUsers, {
  path: `${pageRoute('ldap-organization')}/test-users`,
  decode: (fields) => ({
    count: fields.integer('count'),
    groups: fields.integer('groups'),
    seed: fields.text('seed'),
    passwords: fields.checked('passwords') ? 'same' : 'none',
  }),
  done: () => ({ location: pageRoute('ldap-users') }),
  shows: true,
});
