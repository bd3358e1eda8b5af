// The form that changes an entry; an empty value field keeps the stored value, which is never part of the form.
import { updateForm } from '../../shared/platform/units/collection-operations.ts';
import { vaultEntries } from '../../shared/platform/vaults/entries.ts';
import { entryChanges } from '../../shared/platform/vaults/form-fields.ts';
import { operation as updateVaultEntry } from './update-entry.ts';

export const operation = updateForm(vaultEntries, updateVaultEntry, {
  path: '/ui/management/vaults/{vault_id}/entries/{entry_id}',
  secret: ['value'],
  decode: entryChanges,
  done: ({ id, vault_id }) => ({ location: `/ui/management/vaults/${vault_id}/entries/${id}` }),
});
