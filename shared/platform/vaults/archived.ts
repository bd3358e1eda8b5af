// What an archive has of the vaults: everything, where it is encrypted.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  vault: {
    as: 'sealed',
    label: 'Vaults',
    columns: 'name description created_by',
    key: 'name',
    unique: 'name',
  },
  vault_entry: {
    as: 'sealed',
    label: 'Vault entries',
    columns: 'vault_id key username description uris source source_endpoint value_changed_at imported_at',
    key: 'vault_id key',
    unique: 'key',
    json: 'uris',
    refers: { vault_id: 'vault' },
    left: 'last_used_at',
    secret: 'kek_id sealed_key sealed_value',
  },
};
