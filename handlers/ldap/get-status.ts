// What the running directory says of its accounts.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { ldapStatus, ldapStatusSchema } from '../../shared/services/ldap/status.ts';

export const operation = defineOperation({
  id: 'getLdapStatus',
  method: 'GET',
  path: '/api/v1/ldap/status',
  access: { scope: 'read:ldap' },
  tag: 'LDAP',
  summary: 'Get the status of the directory',
  description:
    'Whether the directory runs and which accounts wrong passwords have locked, asked of it at this moment; and which applied entries it refused last. It tells what is in force, not what is saved.',
  answers: {
    200: { description: 'What runs now, and why not where it does not.', schema: ldapStatusSchema, live: true },
  },
  async run({ services }) {
    return { body: await ldapStatus(services) };
  },
});
