// The form that adds an entry to a vault; an empty value field stores none.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { vaultEntries } from '../../shared/platform/vaults/entries.ts';
import { entryFields, valueFaults } from '../../shared/platform/vaults/form-fields.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createVaultEntry } from './create-entry.ts';

export const operation = createForm(vaultEntries, createVaultEntry, {
  secret: ['value'],
  decode: entryFields,
  faults: valueFaults,
  done: ({ vault_id, key }) => ({ location: pagePath('vault', vault_id), flash: `Entry ${key} is added.` }),
});
