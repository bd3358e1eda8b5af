// Rotates the signing keys of the OpenID Connect provider.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { OIDC_TAG } from '../../shared/services/oidc/clients/clients.ts';
import { signingKeysSchema } from '../../shared/services/oidc/keys/schemas.ts';
import { newKeyPem, PUBLISHED_SECONDS, rotateKeys, signingKeys } from '../../shared/services/oidc/keys/signing-keys.ts';

export const operation = defineOperation({
  id: 'rotateOidcSigningKeys',
  method: 'POST',
  path: '/api/v1/oidc/signing-keys/rotate',
  access: { scope: 'write:oidc' },
  effect: 'immediate',
  tag: OIDC_TAG,
  summary: 'Rotate the signing keys',
  description: `Changes application state immediately: the next key signs, the former one stays published for ${PUBLISHED_SECONDS / 3600} hours, and another next one is made. Tokens that were given stay valid. Two rotations within a few minutes may leave clients behind that keep published keys for a while.`,
  answers: { 200: { description: 'The keys from now on.', schema: signingKeysSchema } },
  problems: ['vault_keys_unusable'],
  audit: ['oidc.signing_key.rotate'],
  prepare: () => newKeyPem(),
  async run({ tx, services, prepared, audit }) {
    const detail = await rotateKeys(tx, services, prepared as string);
    audit({ action: 'oidc.signing_key.rotate', resource_type: 'oidc_signing_key', resource_id: detail.signs, detail });
    return { body: { items: await signingKeys(tx) } };
  },
});
