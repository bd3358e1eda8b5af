// The button that deletes an entry, on the page that asks for confirmation.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { vaultEntries } from '../../shared/platform/vaults/entries.ts';
import { deleteForm } from '../forms/collection-form.ts';
import { operation as deleteVaultEntry } from './delete-entry.ts';

export const operation = deleteForm(vaultEntries, deleteVaultEntry, {
  done: ({ vault_id }) => ({ location: pagePath('vault', vault_id), flash: 'The entry is deleted.' }),
});
