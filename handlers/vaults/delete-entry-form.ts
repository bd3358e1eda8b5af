// The button that deletes an entry, on the page that asks for confirmation.
import { deleteForm } from '../../shared/platform/units/collection-operations.ts';
import { vaultEntries } from '../../shared/platform/vaults/entries.ts';
import { operation as deleteVaultEntry } from './delete-entry.ts';

export const operation = deleteForm(vaultEntries, deleteVaultEntry, {
  path: '/ui/management/vaults/{vault_id}/entries/{entry_id}/delete',
  next: ({ vault_id }) => `/ui/management/vaults/${vault_id}`,
  flash: 'The entry is deleted.',
});
