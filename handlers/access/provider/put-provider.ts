// Saves the external provider; its client secret is sealed and never read back.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { putProvider } from '../../../shared/kernel/access/external/provider.ts';
import { providerPutSchema, providerSchema } from '../../../shared/kernel/access/external/schemas.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { serverOf } from '../../../shared/vcf/external-sign-in/certificate.ts';

export const operation = defineOperation({
  id: 'putSignInProvider',
  method: 'PUT',
  path: '/api/v1/sign-in-provider',
  access: { scope: 'write:users' },
  effect: 'immediate',
  tag: 'Users',
  summary: 'Save the external provider',
  description: `Changes application state immediately: creates the provider, or replaces its settings; what is left out gets its default, and the client secret stays. The sign-in page offers it once the certificate of its server is confirmed. Where the server becomes another one, the secret has to be sent again and its certificate to be confirmed again. A person is known by issuer and subject; the account is made at the first sign-in, has no password, and gets the highest role of its groups at each sign-in. Switching it off ends the sessions of its people, and so does another issuer, client id, groups claim, mapping of groups or list of trusted contexts; their API tokens go on until they expire, are revoked, the user is disabled, or the person signs in without a group that has a role. Users with a password sign in as before, whatever becomes of the provider. Register the origin of the management UI with ${pagePath('sign-in')}/external/callback there as redirect URI. It is in no archive: who may sign in belongs to the appliance. Connections follow the settings of remote machines.`,
  body: providerPutSchema,
  answers: { 200: { description: 'The provider as saved now.', schema: providerSchema, tagged: true } },
  problems: ['revision_stale', 'malformed_precondition', 'vault_keys_unusable'],
  audit: ['sign_in_provider.save'],
  async run({ tx, services, body, request, audit }) {
    serverOf(body.issuer);
    const { provider, changed, sessions_ended } = await putProvider(tx, services, body, request.if_match);
    if (changed.length === 0) return { body: provider, revision: provider.revision, unchanged: true };
    const { name, issuer, client_id, enabled, groups_claim, roles, trusted_contexts } = provider;
    const detail = { changed, name, issuer, client_id, enabled, groups_claim, roles, trusted_contexts, sessions_ended };
    audit({ action: 'sign_in_provider.save', resource_type: 'sign_in_provider', resource_id: null, detail });
    return { body: provider, revision: provider.revision };
  },
});
