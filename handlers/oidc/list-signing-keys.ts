// Lists the signing keys of the OpenID Connect provider.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { OIDC_TAG } from '../../shared/services/oidc/clients/clients.ts';
import { signingKeysSchema } from '../../shared/services/oidc/keys/schemas.ts';
import { PUBLISHED_SECONDS, SIGNS_DAYS, signingKeys } from '../../shared/services/oidc/keys/signing-keys.ts';

export const operation = defineOperation({
  id: 'listOidcSigningKeys',
  method: 'GET',
  path: '/api/v1/oidc/signing-keys',
  access: { scope: 'read:oidc' },
  effect: 'read',
  tag: OIDC_TAG,
  summary: 'List signing keys',
  description: `The published keys, the one that signs first; there are none before the provider was in force. By itself a key is replaced after ${SIGNS_DAYS} days; a former one stays published for ${PUBLISHED_SECONDS / 3600} hours. All are RSA with 2048 bits, for RS256.`,
  answers: { 200: { description: 'All of them.', schema: signingKeysSchema } },
  async run({ db }) {
    return { body: { items: await signingKeys(db) } };
  },
});
