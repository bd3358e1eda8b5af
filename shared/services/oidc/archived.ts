// What an archive has of OpenID Connect: clients and signing keys, and only where it is encrypted. Whoever is signed in signs in
// again after a restore.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  oidc_client: {
    as: 'sealed',
    label: 'OpenID Connect clients',
    columns:
      'name description preset enabled redirect_uris logout_uris requires_pkce refresh_tokens source organization sends_groups secret_sha256 secret_made_at former_sha256 former_until created_by',
    // The id is what the other side has saved.
    key: 'id',
    unique: 'name',
    booleans: 'enabled requires_pkce refresh_tokens',
    json: 'redirect_uris logout_uris sends_groups',
    // Observed here.
    left: 'last_token_at last_token_for',
  },
  oidc_signing_key: {
    as: 'sealed',
    label: 'Signing keys',
    columns: 'state public_jwk signs_from published_until created_at',
    key: 'id',
    meanwhile: { state: 'previous' },
    json: 'public_jwk',
    secret: 'kek_id sealed_key sealed_value',
    plain: true,
  },
  oidc_artifact: { as: 'transient' },
  oidc_session: { as: 'transient' },
};
