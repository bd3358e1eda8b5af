// What an archive has of OpenID Connect: clients, signing keys and SCIM targets, and only where it is encrypted. Sessions and
// tokens are in none.
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
  scim_target: {
    as: 'sealed',
    label: 'SCIM targets',
    columns: 'client_id base_url enabled groups domain departed address sha256',
    key: 'client_id',
    refers: { client_id: 'oidc_client' },
    booleans: 'enabled',
    json: 'groups',
    secret: 'kek_id sealed_key sealed_value',
    // Observed here.
    left: 'last_job_id last_outcome last_at last_reason pushed_sha256 failures next_at',
  },
  scim_object: { as: 'history' },
  oidc_session: { as: 'transient' },
};
