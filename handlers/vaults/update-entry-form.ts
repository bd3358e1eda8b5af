// The form that changes an entry; an empty value field keeps the stored value, which is never part of the form.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { vaultEntries } from '../../shared/platform/vaults/entries.ts';
import { entryChanges, valueFaults } from '../../shared/platform/vaults/form-fields.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateVaultEntry } from './update-entry.ts';

export const operation = updateForm(vaultEntries, updateVaultEntry, {
  secret: ['value'],
  decode: entryChanges,
  faults: valueFaults,
  done: ({ id, vault_id }) => ({ location: pagePath('vault-entry', vault_id, id) }),
});
