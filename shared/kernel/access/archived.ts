// What an archive has of the tables of this room: nothing that a restore brings back, since who may sign in belongs to the
// appliance, not to its state. Encrypted ones carry the accounts with their second factors all the same, for an appliance that
// starts from them. Recovery codes are hashed with a key of the appliance, so that they are of no use elsewhere.
import type { ArchivedRows, ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  user: { as: 'identity' },
  api_token: { as: 'identity' },
  session: { as: 'transient' },
  sign_in_throttle: { as: 'transient' },
  known_network: { as: 'identity' },
  mutation_lock: { as: 'transient' },
  second_factor: { as: 'identity' },
  recovery_code: { as: 'identity' },
  sign_in_step: { as: 'transient' },
  passkey_registration: { as: 'transient' },
  second_factor_policy: { as: 'identity' },
  sign_in_provider: { as: 'identity' },
  external_person: { as: 'identity' },
  external_sign_in: { as: 'transient' },
};

/** Accounts as an archive carries them, with the hashes of their passwords. */
export const ACCOUNTS: ArchivedRows = {
  as: 'sealed',
  label: 'Accounts',
  columns: 'name role enabled password_hash',
  key: 'name',
  booleans: 'enabled',
};

/** Their second factors: authenticators with their secret, and passkeys, which work under the same name alone. */
export const FACTORS: ArchivedRows = {
  as: 'sealed',
  label: 'Second factors',
  columns:
    'user_id kind name last_step credential_id public_key sign_count rp_id transports created_at confirmed_at last_used_at',
  key: 'id',
  json: 'transports',
  secret: 'kek_id sealed_key sealed_value',
  plain: true,
};
