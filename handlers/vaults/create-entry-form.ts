// The form that adds an entry to a vault; an empty value field stores none.
import { createForm } from '../../shared/platform/units/collection-operations.ts';
import { vaultEntries } from '../../shared/platform/vaults/entries.ts';
import { entryFields } from '../../shared/platform/vaults/form-fields.ts';
import { operation as createVaultEntry } from './create-entry.ts';

export const operation = createForm(vaultEntries, createVaultEntry, {
  path: '/ui/management/vaults/{vault_id}/entries/new',
  secret: ['value'],
  decode: entryFields,
  done: ({ vault_id, key }) => ({ location: `/ui/management/vaults/${vault_id}`, flash: `Entry ${key} is added.` }),
});
