// The form that adds an entry to a vault; an empty value field stores none.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import type { VaultEntry } from '../../shared/platform/vaults/entry-store.ts';
import { entryFields } from '../../shared/platform/vaults/form-fields.ts';
import { operation as createVaultEntry } from './create-entry.ts';

export const operation = defineForm(
  {
    of: createVaultEntry,
    path: '/ui/management/vaults/{vault_id}/entries/new',
    access: { session: 'write:vaults' },
  },
  {
    page: '/ui/management/vaults/{vault_id}/entries/new',
    secret: ['value'],
    decode: entryFields,
    done: ({ body }) => {
      const { vault_id, key } = body as VaultEntry;
      return { location: `/ui/management/vaults/${vault_id}`, flash: `Entry ${key} is added.` };
    },
  },
);
