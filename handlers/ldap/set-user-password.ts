// Sets the password of a directory user, or has one made that is shown once.
import { instant } from '../../shared/ground/clock.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import {
  type PreparedPassword,
  passwordAnswerSchema,
  passwordSetSchema,
  preparePassword,
  storePassword,
} from '../../shared/services/ldap/passwords.ts';
import { users } from '../../shared/services/ldap/users.ts';
import { endOidcSessionsOf } from '../../shared/services/oidc/sessions/sessions.ts';

export const operation = defineOperation({
  id: 'setLdapUserPassword',
  method: 'POST',
  path: '/api/v1/ldap/users/{directory_user_id}/password',
  access: { scope: 'write:ldap' },
  effect: 'desired-state',
  tag: 'LDAP',
  summary: 'Set the password of a directory user',
  description:
    'Saves desired state only: the password is accepted from the next reviewed apply on, and the former one until then. Only its hash (argon2id) is kept. Without a password one is generated, which is in this answer and can never be read again. The person’s sessions at the OpenID Connect provider end at once.',
  params: idParam('directory_user_id', 'Id of the directory user.'),
  body: passwordSetSchema,
  answers: { 200: { description: 'That it is set, and the generated one.', schema: passwordAnswerSchema } },
  problems: ['resource_not_found'],
  audit: ['ldap.user.password'],
  async prepare({ services, params, body }) {
    const found = await findItem(services.store, users, params.directory_user_id);
    return preparePassword(services.store, { user_id: found.id }, found.uid, body.password);
  },
  async run({ services, tx, params, prepared, audit }) {
    const found = await findItem(tx, users, params.directory_user_id);
    const password = prepared as PreparedPassword;
    await storePassword(tx, services, { user_id: found.id }, password);
    // The former password is still taken until the apply; nobody stays signed in by it.
    const oidc_sessions_ended = await endOidcSessionsOf(tx, found.entry_uuid, services.clock.now());
    const detail = {
      organization: found.organization,
      title: users.title(found),
      generated: password.generated !== null,
      oidc_sessions_ended,
    };
    audit({ action: 'ldap.user.password', resource_type: 'ldap_user', resource_id: found.id, detail });
    return { body: { password: password.generated, set_at: instant(services.clock.now()) } };
  },
});
