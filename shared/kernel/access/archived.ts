// What an archive has of the tables of this room: nothing that a restore brings back, since who may sign in belongs to the
// appliance, not to its state. Encrypted ones carry the accounts all the same, for an appliance that starts from them.
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
};

/** Accounts as an archive carries them, with the hashes of their passwords. */
export const ACCOUNTS: ArchivedRows = {
  as: 'sealed',
  label: 'Accounts',
  columns: 'name role enabled password_hash',
  key: 'name',
  booleans: 'enabled',
};
