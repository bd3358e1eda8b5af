// Sets the password of a bind account, or has one made that is shown once.
import { instant } from '../../shared/ground/clock.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';
import {
  type PreparedPassword,
  passwordAnswerSchema,
  passwordSetSchema,
  preparePassword,
  storePassword,
} from '../../shared/services/ldap/passwords.ts';

export const operation = defineOperation({
  id: 'setLdapBindAccountPassword',
  method: 'POST',
  path: '/api/v1/ldap/bind-accounts/{bind_account_id}/password',
  access: { scope: 'write:ldap' },
  effect: 'desired-state',
  tag: 'LDAP',
  summary: 'Set the password of a bind account',
  description:
    'Saves desired state only: the password is accepted from the next reviewed apply on, and the former one until then. Only its hash (argon2id) is kept. Without a password one is generated, which is in this answer and can never be read again.',
  params: idParam('bind_account_id', 'Id of the bind account.'),
  body: passwordSetSchema,
  answers: { 200: { description: 'That it is set, and the generated one.', schema: passwordAnswerSchema } },
  problems: ['resource_not_found'],
  audit: ['ldap.bind_account.password'],
  async prepare({ services, params, body }) {
    const found = await findItem(services.store, bindAccounts, params.bind_account_id);
    return preparePassword(services.store, { account_id: found.id }, found.name, body.password);
  },
  async run({ services, tx, params, prepared, audit }) {
    const found = await findItem(tx, bindAccounts, params.bind_account_id);
    const password = prepared as PreparedPassword;
    await storePassword(tx, services, { account_id: found.id }, password);
    const detail = {
      organization: found.organization,
      title: bindAccounts.title(found),
      generated: password.generated !== null,
    };
    audit({ action: 'ldap.bind_account.password', resource_type: 'ldap_bind_account', resource_id: found.id, detail });
    return { body: { password: password.generated, set_at: instant(services.clock.now()) } };
  },
});
